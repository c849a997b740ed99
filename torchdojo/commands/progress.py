"""`torchdojo progress`: show the learner's progress as bars or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import click

from torchdojo.course import states
from torchdojo.course.exercise import find_dojo
from torchdojo.course.path import recommended
from torchdojo.course.states import STARTED, WORDS, next_of
from torchdojo.course.stubs import handed_out
from torchdojo.judge import record
from torchdojo.judge.record import Totals, counted, number
from torchdojo.learner.memory import Memory
from torchdojo.learner.standing import Looker, Standing

SCHEMA = "torchdojo/progress/v1"
WIDTH = 10  # columns of a bar


@click.command()
@click.argument("chapter", required=False)
@click.option("--exercises", "each", is_flag=True, help="Show a bar for every exercise, not only for those of the current chapter.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON on standard output.")
def command(chapter: str | None, each: bool, as_json: bool) -> None:
    """Show how far you are, and the next step. Counts exercises done, stars, not right yet, to do, and points."""
    raise SystemExit(run(chapter, each=each, as_json=as_json))


def run(wanted: str | None, *, each: bool = False, as_json: bool) -> int:
    """Print the progress of every exercise of the dojo (or of a chapter)."""
    dojo = handed_out(find_dojo())
    exercises = recommended(dojo.select(wanted) if wanted else dojo.exercises)
    looker = Looker(dojo, Memory(dojo.root))
    tell = Notice()
    try:
        standings = looker.look(exercises, tell)
    finally:
        looker.close()
        tell.clear()
    if as_json:
        click.echo(all_as_json(standings))
    else:
        for line in lines(standings, part=len(standings) < len(dojo.exercises), each=each or bool(wanted)):
            click.echo(line)
    return 0


class Notice:
    """Says on standard error what takes a while, on one line that is rewritten on a terminal."""

    def __init__(self) -> None:
        self.terminal = sys.stderr.isatty()
        self.told = False

    def __call__(self, text: str) -> None:
        if self.terminal:
            click.echo(f"\r{text[:59]:<59}", err=True, nl=False)
        elif not self.told:
            click.echo("checking files that changed since last time ...", err=True)
        self.told = True

    def clear(self) -> None:
        if self.terminal and self.told:
            click.echo(f"\r{'':59}\r", err=True, nl=False)


def by_chapter(standings: Sequence[Standing]) -> dict[str, list[Standing]]:
    chapters: dict[str, list[Standing]] = {}
    for standing in standings:
        chapters.setdefault(standing.exercise.chapter, []).append(standing)
    return chapters


def next_step(standings: Sequence[Standing]) -> Standing | None:
    """What to do next."""
    step = next_of([s.exercise for s in standings], {s.exercise.id: s.state for s in standings})
    return next((s for s in standings if s.exercise == step), None)


# ------------------------------------------------------------------ for people
def lines(standings: Sequence[Standing], *, part: bool = False, each: bool | None = False) -> list[str]:
    """The lines of `progress`: at most 72 columns, and readable without color. part: these are not all exercises.

    each: a bar for every exercise; False: for those of the current chapter; None: for none.
    """
    chapters, step = by_chapter(standings), next_step(standings)
    at_hand = step.exercise.chapter if step is not None and each is not None else ""
    opened = {name for name in chapters if each or name == at_hand}
    width = max(len(c) for c in chapters)
    names = max((len(s.exercise.stem) for s in standings if s.exercise.chapter in opened), default=0)
    graded = any(s.max_score is not None for s in standings)
    hints = any(s.hints for s in standings)
    wide = max(len("points"), *(len(points(part)) for part in (standings, *chapters.values()))) + 2 if graded else 0
    head = f"{'':{width}}  {'':{WIDTH}}  done" + " star" * graded + " started to do"
    table = [head + f"{'points':>{wide}}" * graded + " hints" * hints]
    for name, mine in chapters.items():
        table.append(row(name, mine, width, wide, hints))
        table += [one(s, names) for s in mine if name in opened]
    if len(chapters) > 1:
        table.append(row("all", standings, width, wide, hints))
    skipped = [s.exercise.id for s in standings if s.state == "skipped"]
    if skipped:
        table += ["", f"Skipped, because something that the tests need is not installed: {', '.join(skipped)}."]
    if step is None:
        here = " here; see `torchdojo progress`" * part
        stars = sum(s.max_score is not None and s.state == "done" and not s.star for s in standings)
        more = f" {counted(stars, 'star')} can still be won." if stars else ""
        return [*table, "", f"Nothing {'else ' * bool(skipped)}is left to do{here}.{more}"]
    return [*table, "", "Next:", f"  exercises/{step.exercise.id}.py", f"  ({in_words(step)})", f"  {step.exercise.reading}"]


def in_words(step: Standing) -> str:
    """The state of the next exercise, with the tests that pass if it was started."""
    word = states.in_words(step.state)
    if step.state not in STARTED or not step.total:
        return word
    if step.passed == step.total:
        return f"{word}, the tests pass, hidden checks do not"
    return f"{word}, {step.passed} of {step.total} tests pass"


def row(name: str, mine: Sequence[Standing], width: int, wide: int, hints: bool) -> str:
    """The line of a chapter. wide: columns of the points; 0 if nothing is graded."""
    count = {state: sum(s.state == state for s in mine) for state in WORDS}
    started = sum(count[state] for state in STARTED)
    text = f"{name:<{width}}  {bar(count['done'], started, len(mine))}  {count['done']:>4}"
    text += f"{sum(s.star for s in mine):>5}" * bool(wide) + f" {started:>7} {count['todo']:>5}"
    if wide:
        text += f"{points(mine):>{wide}}"
    return (text + f"{sum(s.hints for s in mine) or '':>6}" * hints).rstrip()


def one(standing: Standing, width: int) -> str:
    """The line of an exercise: its bar shows the points, or the tests that pass where nothing is graded."""
    s, over = standing, standing.state == "done"
    got, most = (s.score or 0, s.max_score) if s.max_score else (s.passed, s.total)
    share = int(WIDTH * got / most) if most else 0
    full = (share if s.max_score else WIDTH) if over else 0
    begun = max(share, 1) if s.state in STARTED else 0
    text = f"  {s.exercise.stem:<{width}}  {bar(full, begun, WIDTH)}  {states.in_words(s.state, s.star):<10}"
    hints = f"  {counted(s.hints, 'hint')}" * bool(s.hints) + "  solution seen" * s.given_up
    hints += f"  break {s.breaks_right}/{s.breaks}" * bool(s.breaks)
    return (text + (f"{points([s]):>8}" if s.max_score is not None else "") + hints).rstrip()


def points(mine: Sequence[Standing]) -> str:
    """'12/10': the maximum is without bonus exercises, except in the line of a bonus exercise."""
    if len(mine) == 1:
        return f"{number(mine[0].score or 0)}/{number(mine[0].max_score or 0)}"
    whole = summed(mine)
    return f"{number(whole.score)}/{number(whole.worth)}"


def summed(mine: Sequence[Standing]) -> Totals:
    return record.totals((s.exercise.id, s.score or 0, s.max_score or 0) for s in mine)


def bar(done: int, wrong: int, total: int, width: int = WIDTH) -> str:
    """Full blocks for done, light ones for started. An unfinished chapter never looks full."""
    marks = "█▒·" if "utf" in (sys.stdout.encoding or "").lower() else "#=."
    full = done * width // total
    begun = min(width - full, -(-wrong * width // total))
    return marks[0] * full + marks[1] * begun + marks[2] * (width - full - begun)


# ------------------------------------------------------------------ for programs
def all_as_json(standings: Sequence[Standing]) -> str:
    step = next_step(standings)
    data = {
        "schema": SCHEMA,
        **totals(standings),
        "next": step.exercise.id if step else None,
        "chapters": [
            {"id": name, **totals(mine), "exercises": [exercise_data(s) for s in mine]}
            for name, mine in by_chapter(standings).items()
        ],
    }
    return json.dumps(data)


def totals(mine: Sequence[Standing]) -> dict[str, float | None]:
    data: dict[str, float | None] = {state: sum(s.state == state for s in mine) for state in WORDS}
    graded = [s for s in mine if s.max_score is not None]
    data["star"] = sum(s.star for s in mine) if graded else None
    whole = summed(graded)
    data["score"] = number(whole.score) if graded else None
    data["max_score"] = number(whole.worth) if graded else None
    return data | {"hints": sum(s.hints for s in mine)}


def exercise_data(s: Standing) -> dict[str, str | float | None]:
    score, most = (None if x is None else number(x) for x in (s.score, s.max_score))
    passed = {"tests_passed": s.passed, "tests": s.total}
    star = s.star if s.max_score is not None else None
    return {
        "id": s.exercise.id,
        "state": s.state,
        "star": star,
        **passed,
        "score": score,
        "max_score": most,
        "hints": s.hints,
        "solution_seen": s.given_up,
        "breaks": s.breaks,
        "breaks_right": s.breaks_right,
    }
