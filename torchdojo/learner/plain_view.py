"""The plain view of `torchdojo watch`: it only ever adds lines, for screen readers, pipes and logs."""

from __future__ import annotations

import click
from rich.console import Console

from torchdojo.course.lesson import described, section
from torchdojo.learner.helper_process import EventData
from torchdojo.learner.side_by_side import NARROW, beside
from torchdojo.learner.watch_model import WatchModel

HELP = (
    "Type a letter and Enter: h hint, n next, p previous, l list, c run hidden checks, o open the lesson, s our solution, "
    "w what would break it, r reset, q quit. Enter alone goes on when an exercise is done."
)


class Plain:
    """Prints what a model does, line by line."""

    def __init__(self, model: WatchModel) -> None:
        self.model = model
        model.tell = self.told
        click.echo(HELP)

    def told(self, what: str) -> None:
        model, exercise = self.model, self.model.exercise
        name = exercise.stem
        if what == "opened":
            if model.note:
                click.echo(model.note)
            title = exercise.facts["title"].rstrip(".")
            click.echo(f"\n{exercise.id}: {title}. {model.done} of {len(model.exercises)} done.")
            click.echo(f"File: exercises/{exercise.id}.py")
        elif what == "judged":
            # hidden checks are shown when they are finished
            click.echo(f"{name}: {model.headline()}" + " (running hidden checks)" * bool(model.tickets["hidden"]))
            self._message()
            self._offers()
        elif what == "checked":
            click.echo(f"{name}: {model.headline()}" + (f"; {model.checked.line()}" if model.checked else ""))
            self._message()
            self._offers()
        elif what in ("note", "picture"):
            click.echo(model.note if what == "note" else model.picture)
        elif what == "hint":
            level = len(model.hints())
            click.echo(model.note or f"Hint {level}: {model.hints()[-1]}")
        elif what == "finished" and model.note:
            click.echo(model.note)

    def _message(self) -> None:
        if self.model.message():
            click.echo(self.model.message())

    def _offers(self) -> None:
        if self.model.offers() and self.model.saved and self.model.can_wait:
            click.echo(self.model.offers())

    def _solution(self) -> None:
        if reason := self.model.why_no_solution():
            click.echo(reason)
            return
        console = Console(highlight=False, width=NARROW - 1)  # one after the other, as a screen reader reads
        for part in beside(self.model.exercise, console.width):
            console.print(part)

    def key(self, key: str) -> None:
        model = self.model
        if model.asking:
            model.answer(key)
        elif key == "q":
            model.ended = True
        elif key == "l":
            for exercise in model.exercises:
                here = " (open)" if exercise is model.exercise else ""
                click.echo(f"{exercise.id}: {model.word(exercise)}{here}")
        elif key == "o":
            click.echo(described(section(model.exercise)))
        elif key == "s":
            self._solution()
        elif key == "w":
            click.echo(f"In another terminal, this asks what would break it: torchdojo break {model.exercise.id}")
        elif key in ("r", "enter"):
            model.ask_reset() if key == "r" else model.go_on()
        elif key in ("h", "c"):
            model.hint() if key == "h" else model.check()
        elif key in ("n", "p"):
            model.step(1 if key == "n" else -1)
        else:
            click.echo(HELP)


def handled(view: Plain, kind: str, data: EventData) -> None:
    """Pass an event to where it belongs."""
    if kind == "key":
        view.key(data["key"])
    elif kind == "hangup":
        view.model.nobody_types()
    else:
        view.model.hear(kind, data)
