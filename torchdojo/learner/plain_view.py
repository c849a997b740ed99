"""The plain view of `torchdojo watch`: lines that are only ever added, for screen readers, pipes and logs."""

from __future__ import annotations

from typing import Any

import click

from torchdojo.course.lesson import section
from torchdojo.learner.watch_model import Coach

HELP = "Type a letter and Enter: h hint, n next, p previous, l list, c run hidden checks, o open the lesson, q quit."


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
        elif what == "checked":
            click.echo(f"{name}: {coach.headline()}; {coach.hidden_line()}")
            self._message()
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

    def key(self, key: str) -> None:
        coach = self.coach
        if key == "q":
            coach.ended = True
        elif key == "l":
            for exercise in coach.exercises:
                here = " (open)" if exercise is coach.exercise else ""
                click.echo(f"{exercise.id}: {coach.word(exercise)}{here}")
        elif key == "o":
            click.echo(section(coach.exercise))
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
    elif kind != "hangup":
        view.coach.hear(kind, data)
