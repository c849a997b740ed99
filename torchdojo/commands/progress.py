"""`torchdojo progress`: how far the learner has come, as bars or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

import click

from torchdojo.course.exercise import find_dojo
from torchdojo.course.stubs import handed_out
from torchdojo.judge.record import number
from torchdojo.learner.memory import Memory
from torchdojo.learner.standing import Looker, Standing
from torchdojo.learner.summary import WORDS

SCHEMA = "torchdojo/progress/v1"


@click.command()
@click.argument("chapter", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON on standard output.")
def command(chapter: str | None, as_json: bool) -> None:
    """Show how far you are: done, not right yet, to do, points, and the next step."""
    raise SystemExit(run(chapter, as_json=as_json))


def run(wanted: str | None, *, as_json: bool) -> int:
    """Print where every exercise of the dojo (or of a chapter) stands."""
    dojo = handed_out(find_dojo())
    exercises = dojo.select(wanted) if wanted else dojo.exercises
    looker = Looker(dojo, Memory(dojo.root))
    tell = Notice()
    try:
        found = looker.look(exercises, tell)
    finally:
        looker.close()
        tell.clear()
    if as_json:
        click.echo(json.dumps(as_data(found)))
    else:
        for line in lines(found, part=len(found) < len(dojo.exercises)):
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
            click.echo("looking at files that changed since last time ...", err=True)
        self.told = True

    def clear(self) -> None:
        if self.terminal and self.told:
            click.echo(f"\r{'':59}\r", err=True, nl=False)


def by_chapter(found: Sequence[Standing]) -> dict[str, list[Standing]]:
    chapters: dict[str, list[Standing]] = {}
    for standing in found:
        chapters.setdefault(standing.exercise.chapter, []).append(standing)
    return chapters


def next_step(found: Sequence[Standing]) -> Standing | None:
    """What to do next: something begun before something new, in the order of the chapters."""
    order = {"wrong": 0, "todo": 1}
    return min((s for s in found if s.state in order), key=lambda s: order[s.state], default=None)


# ------------------------------------------------------------------ for people
def lines(found: Sequence[Standing], *, part: bool = False) -> list[str]:
    """At most 60 columns, the same without colour. part: there are other exercises, too."""
    chapters = by_chapter(found)
    width = max(len(c) for c in chapters)
    graded = any(s.max_score is not None for s in found)
    hints = any(s.hints for s in found)
    titles = f"{'':{width}}  {'':12}  done not yet to do" + "   points" * graded + " hints" * hints
    said = [titles, *(row(name, mine, width, graded, hints) for name, mine in chapters.items())]
    if len(chapters) > 1:
        said.append(row("all", found, width, graded, hints))
    skipped = [s.exercise.id for s in found if s.state == "skipped"]
    if skipped:
        said += ["", f"Not judged here, something is not installed: {', '.join(skipped)}."]
    step = next_step(found)
    if step is None:
        here = " here; see `torchdojo progress`" * part
        return [*said, "", f"Nothing {'else ' * bool(skipped)}is left to do{here}."]
    return [*said, "", "Next:", f"  exercises/{step.exercise.id}.py", f"  ({in_words(step)})", f"  {step.exercise.reading}"]


def in_words(step: Standing) -> str:
    if step.state != "wrong":
        return WORDS[step.state]
    if step.total and step.passed == step.total:
        return "not yet, the tests pass, hidden checks do not"
    return f"not yet, {step.passed} of {step.total} tests pass" if step.total else "not yet"


def row(name: str, mine: Sequence[Standing], width: int, graded: bool, hints: bool) -> str:
    count = {state: sum(s.state == state for s in mine) for state in WORDS}
    text = f"{name:<{width}}  {bar(count['done'], count['wrong'], len(mine))}  "
    text += f"{count['done']:>4} {count['wrong']:>7} {count['todo']:>5}"
    if graded:
        text += f"{points(mine):>9}"
    return (text + f"{sum(s.hints for s in mine) or '':>6}" * hints).rstrip()


def points(mine: Sequence[Standing]) -> str:
    score, most = (sum(getattr(s, k) or 0 for s in mine) for k in ("score", "max_score"))
    return f"{number(score)}/{number(most)}"


def bar(done: int, wrong: int, total: int, width: int = 12) -> str:
    """Done in full blocks, begun in light ones. A chapter that is not finished never looks full."""
    marks = "█▒·" if "utf" in (sys.stdout.encoding or "").lower() else "#=."
    full = done * width // total
    begun = min(width - full, -(-wrong * width // total))
    return marks[0] * full + marks[1] * begun + marks[2] * (width - full - begun)


# ------------------------------------------------------------------ for programs
def as_data(found: Sequence[Standing]) -> dict[str, Any]:
    step = next_step(found)
    return {
        "schema": SCHEMA,
        **totals(found),
        "next": step.exercise.id if step else None,
        "chapters": [
            {"id": name, **totals(mine), "exercises": [exercise_data(s) for s in mine]} for name, mine in by_chapter(found).items()
        ],
    }


def totals(mine: Sequence[Standing]) -> dict[str, Any]:
    found: dict[str, Any] = {state: sum(s.state == state for s in mine) for state in WORDS}
    graded = [s for s in mine if s.max_score is not None]
    found["score"] = number(sum(s.score or 0 for s in graded)) if graded else None
    found["max_score"] = number(sum(s.max_score or 0 for s in graded)) if graded else None
    return found | {"hints": sum(s.hints for s in mine)}


def exercise_data(s: Standing) -> dict[str, Any]:
    score, most = (None if x is None else number(x) for x in (s.score, s.max_score))
    passed = {"tests_passed": s.passed, "tests": s.total}
    return {"id": s.exercise.id, "state": s.state, **passed, "score": score, "max_score": most, "hints": s.hints}
