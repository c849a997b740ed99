"""The last lines of a test run: one per exercise, a count, and what to try first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torchdojo.course.exercise import in_order
from torchdojo.course.path import for_experts, turn
from torchdojo.judge.record import counted

WORDS = {"done": "done", "wrong": "not yet", "todo": "to do", "skipped": "skipped"}


def write(reporter: Any, reports: list[Any]) -> None:
    """One calm line per exercise, on pytest's own terminal writer."""
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
        elif has_star(by_exercise[exercise]):
            detail = ", star"
        colour: dict[str, bool] = {"done": {"green": True}, "wrong": {"red": True}, "todo": {"yellow": True}}.get(state, {})
        reporter.write(f"  {exercise.split('/')[1]:<{width}}  ")
        reporter.write_line(f"{WORDS.get(state, '')}{detail}", **colour)
    count = {state: sum(1 for s, _, _ in states.values() if s == state) for state in WORDS}
    stars = sum(has_star(rows) for rows in by_exercise.values())
    counts = [f"{count['done']} of {len(states)} done" + (f" ({counted(stars, 'star')})" if stars else "")]
    counts += [f"{count[state]} {WORDS[state]}" for state in ("wrong", "todo", "skipped") if count[state]]
    counts += [f"{n} tried in part" for n in [sum(s == "part" for s, _, _ in states.values())] if n]
    reporter.write_line("")
    reporter.write_line(", ".join(counts) + "." + _next(states, by_exercise))


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
    return f"   {passed} of {total} {kind} pass{rest}" if state == "wrong" or (state == "done" and passed < total) else ""


def total_of(rows: list[Any]) -> int:
    """How many tests the exercise has, whether they ran or not."""
    return max(len(rows), *(int(r.dojo.get("of", 0)) for r in rows))


def _state(rows: list[Any]) -> tuple[str, int, int]:
    """The state of an exercise ("part": what ran of it is right), how many tests pass, how many ran.

    Done asks for the task alone: a check for the star may fail.
    """
    of, rows = total_of(rows), [r for r in rows if r.dojo["status"] != "left out"]
    statuses = [r.dojo["status"] for r in rows]
    task = [r for r in rows if not r.dojo.get("star")]
    state = state_of([r.dojo["status"] for r in task]) if task and set(statuses) != {"todo"} else state_of(statuses)
    of_task = max((r.dojo.get("task", 0) for r in rows), default=0)
    only_star_fails = bool(set(statuses) - {"passed", "skipped"}) and len(task) >= of_task
    if state in ("done", "skipped") and of > len(rows) and not only_star_fails:
        state = "part"
    return state, statuses.count("passed"), len(rows)


def has_star(rows: list[Any]) -> bool:
    """Did all hidden checks run, and pass? Visible tests ask for the task alone, so they give no star."""
    checks = [r for r in rows if r.dojo.get("hidden")]
    fine = all(r.dojo["status"] in ("passed", "skipped") for r in rows) and any(r.dojo["status"] == "passed" for r in checks)
    return bool(checks) and fine and total_of(rows) <= len(rows)


def state_of(statuses: list[str]) -> str:
    """The state of an exercise, from the statuses of its tests."""
    for state, fitting in (("done", {"passed"}), ("todo", {"todo"}), ("skipped", {"passed", "skipped"})):
        if set(statuses) <= fitting:
            return state
    return "wrong"


def _next(states: dict[str, tuple[str, int, int]], by_exercise: dict[str, list[Any]]) -> str:
    """What to try first: started exercises before new ones, then in the order to take them."""
    for wanted in ("wrong", "todo"):
        if there := [exercise for exercise, (state, *_) in states.items() if state == wanted]:
            return f" Try first: exercises/{min(there, key=lambda e: _turn(e, by_exercise[e]))}.py"
    parts = any(state == "part" for state, _, _ in states.values())
    return " An exercise is done when all of its tests pass." if parts else " All done."


def _turn(exercise: str, rows: list[Any]) -> tuple[Any, ...]:
    """The key to sort exercises by. Lesson and stub next to the tests decide; hidden checks have neither next to them."""
    file = Path(next((r.dojo["file"] for r in rows if "file" in r.dojo), ""))
    late = bool(file.name) and for_experts(file.with_name("README.md"))
    return late, *turn(exercise, file.with_name(f"{exercise.rpartition('/')[2]}.py") if file.name else Path())


def did_not_end(error: BaseException) -> bool:
    """Was a test stopped by pytest-timeout?"""
    return type(error).__name__ == "Failed" and "Timeout" in str(error)
