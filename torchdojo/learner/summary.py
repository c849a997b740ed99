"""The last lines of a test run: one per exercise, a count, and what to try first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torchdojo.course.exercise import Exercise, in_order
from torchdojo.course.states import OVER, STARTED, WORDS, has_star, next_of, state_of, state_of_checks
from torchdojo.judge.record import counted

COLOURS = {"done": {"green": True}, "wrong": {"red": True}, "begun": {"yellow": True}, "todo": {"yellow": True}}


def write(reporter: Any, reports: list[Any], *, own: bool = True) -> None:
    """One line per exercise, on pytest's terminal writer. own: the files are those in exercises/."""
    by_exercise: dict[str, list[Any]] = {}
    for report in {r.nodeid: r for r in reports}.values():  # of a test that was run again (--reruns) the last run counts
        by_exercise.setdefault(report.dojo["exercise"], []).append(report)
    states = {exercise: _state(rows) for exercise, rows in by_exercise.items()}
    width = max(len(e.partition("/")[2]) for e in states)
    chapter = ""
    reporter.section("exercises", sep="=")
    for exercise in sorted(states, key=in_order):
        if exercise.split("/")[0] != chapter:
            chapter = exercise.split("/")[0]
            reporter.write_line(chapter)
        state, passed, total = states[exercise]
        detail = _detail(state, passed, total, by_exercise[exercise])
        if state == "todo":
            detail = next((f"   {r.dojo['note']}" for r in by_exercise[exercise] if r.dojo.get("note")), "")
        elif _star(by_exercise[exercise]):
            detail = ", star"
        reporter.write(f"  {exercise.split('/')[1]:<{width}}  ")
        reporter.write_line(f"{WORDS.get(state, '')}{detail}", **COLOURS.get(state, {}))
    count = {state: sum(1 for s, _, _ in states.values() if s == state) for state in WORDS}
    stars = sum(_star(rows) for rows in by_exercise.values())
    counts = [f"{count['done']} of {len(states)} done" + (f" ({counted(stars, 'star')})" if stars else "")]
    counts += [f"{count[state]} {WORDS[state]}" for state in ("begun", "wrong", "todo", "skipped") if count[state]]
    counts += [f"{n} tried in part" for n in [sum(s == "part" for s, _, _ in states.values())] if n]
    reporter.write_line("")
    reporter.write_line(", ".join(counts) + "." + _next({id: state for id, (state, *_) in states.items()}, by_exercise, own))


def _visible(rows: list[Any]) -> bool:
    return not any(r.dojo.get("hidden") for r in rows)


def _detail(state: str, passed: int, total: int, rows: list[Any]) -> str:
    """The detail after the state: how many tests pass, and how many were left out (-k, -x, --lf, a click on one)."""
    kind = "tests" if _visible(rows) else "checks"
    of = total_of(rows)
    if state == "part":
        passes = "" if not total else ", passes" if total == 1 else f", {passed} pass"
        return f"{total} of {of} {kind} ran{passes}"
    rest = f", {of - total} not run" if of > total else ""
    return f"   {passed} of {total} {kind} pass{rest}" if state in STARTED or (state == "done" and passed < total) else ""


def total_of(rows: list[Any]) -> int:
    """How many tests the exercise has, whether they ran or not."""
    return max(len(rows), *(int(r.dojo.get("of", 0)) for r in rows))


def _state(rows: list[Any]) -> tuple[str, int, int]:
    """The state of an exercise ("part": what ran of it is right), how many tests pass, how many ran.

    Done asks for the task alone: a check for the star may fail.
    """
    of, rows = total_of(rows), [r for r in rows if r.dojo["status"] != "left out"]
    statuses = [r.dojo["status"] for r in rows]
    state = state_of(statuses) if _visible(rows) else state_of_checks(_checks(rows))
    task = [r for r in rows if not r.dojo.get("star")]
    of_task = max((r.dojo.get("task", 0) for r in rows), default=0)
    only_star_fails = bool(set(statuses) - {"passed", "skipped"}) and len(task) >= of_task
    if state in OVER and of > len(rows) and not only_star_fails:
        state = "part"
    return state, statuses.count("passed"), len(rows)


def _checks(rows: list[Any]) -> list[tuple[str, bool]]:
    return [(r.dojo["status"], bool(r.dojo.get("star"))) for r in rows]


def _star(rows: list[Any]) -> bool:
    """Did all hidden checks run, and pass? Visible tests ask for the task alone, so they give no star."""
    return not _visible(rows) and has_star(_checks(rows)) and total_of(rows) <= len(rows)


def _next(states: dict[str, str], by_exercise: dict[str, list[Any]], own: bool) -> str:
    """What to try first, of the exercises in this run."""
    root = next((Path(r.dojo["root"]) for rows in by_exercise.values() for r in rows), Path())
    left = {id: state for id, state in states.items() if state != "part"}
    if step := next_of([Exercise(root, id) for id in left], left, own=own):
        return f" Try first: exercises/{step.id}.py"
    return " An exercise is done when all of its tests pass." if len(left) < len(states) else " All done."


def did_not_end(error: BaseException) -> bool:
    """Was a test stopped by pytest-timeout?"""
    return type(error).__name__ == "Failed" and "Timeout" in str(error)
