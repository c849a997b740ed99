"""The plain view of `torchdojo watch`: it only ever adds lines, for screen readers, pipes and logs."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console

from torchdojo.course.lesson import section
from torchdojo.learner.beside import NARROW, beside
from torchdojo.learner.watch_model import Coach

HELP = (
    "Type a letter and Enter: h hint, n next, p previous, l list, c run hidden checks, o open the lesson, s our solution, "
    "w what would break it, r reset, q quit. Enter alone goes on when an exercise is done."
)


class Plain:
    """Tells what a coach does, line by line."""

    def __init__(self, coach: Coach) -> None:
        self.coach = coach
        coach.tell = self.told
        click.echo(HELP)

    def told(self, what: str) -> None:
        coach, exercise = self.coach, self.coach.exercise
        name = exercise.stem
        if what == "opened":
            if coach.note:
                click.echo(coach.note)
            title = exercise.facts["title"].rstrip(".")
            click.echo(f"\n{exercise.id}: {title}. {coach.done} of {len(coach.exercises)} done.")
            click.echo(f"File: exercises/{exercise.id}.py")
        elif what == "judged":
            # what hidden checks find is told when they have found it
            click.echo(f"{name}: {coach.headline()}" + " (running hidden checks)" * bool(coach.tickets["hidden"]))
            self._message()
            self._offers()
        elif what == "checked":
            click.echo(f"{name}: {coach.headline()}; {coach.hidden_line()}")
            self._message()
            self._offers()
        elif what == "note":
            click.echo(coach.note)
        elif what == "hint":
            level = len(coach.hints())
            click.echo(coach.note or f"Hint {level}: {coach.hints()[-1]}")
        elif what == "finished" and coach.note:
            click.echo(coach.note)

    def _message(self) -> None:
        if self.coach.message():
            click.echo(self.coach.message())

    def _offers(self) -> None:
        if self.coach.offers() and self.coach.saved and self.coach.can_wait:
            click.echo(self.coach.offers())

    def _solution(self) -> None:
        if reason := self.coach.why_no_solution():
            click.echo(reason)
            return
        console = Console(highlight=False, width=NARROW - 1)  # one after the other, as a screen reader reads
        for part in beside(self.coach.exercise, console.width):
            console.print(part)

    def key(self, key: str) -> None:
        coach = self.coach
        if coach.asking:
            coach.answer(key)
        elif key == "q":
            coach.ended = True
        elif key == "l":
            for exercise in coach.exercises:
                here = " (open)" if exercise is coach.exercise else ""
                click.echo(f"{exercise.id}: {coach.word(exercise)}{here}")
        elif key == "o":
            click.echo(section(coach.exercise))
        elif key == "s":
            self._solution()
        elif key == "w":
            click.echo(f"In another terminal, this asks what would break it: torchdojo break {coach.exercise.id}")
        elif key in ("r", "enter"):
            coach.ask_reset() if key == "r" else coach.go_on()
        elif key in ("h", "c"):
            coach.hint() if key == "h" else coach.check()
        elif key in ("n", "p"):
            coach.step(1 if key == "n" else -1)
        else:
            click.echo(HELP)


def handled(view: Plain, kind: str, data: dict[str, Any]) -> None:
    """Pass an event to where it belongs."""
    if kind == "key":
        view.key(data["key"])
    elif kind == "hangup":
        view.coach.nobody_types()
    else:
        view.coach.hear(kind, data)
