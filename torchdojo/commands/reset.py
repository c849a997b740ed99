"""`torchdojo reset [EXERCISE]`: restore the original stub; the learner's version is kept next to it."""

from __future__ import annotations

import click

from torchdojo.commands.hint import one_exercise
from torchdojo.course import stubs
from torchdojo.course.exercise import find_dojo


@click.command()
@click.argument("exercise", required=False)
def command(exercise: str | None) -> None:
    """Restore the stub of an exercise. Keeps your version next to it (default: the current exercise)."""
    raise SystemExit(run(exercise))


def run(wanted: str | None) -> int:
    """Restore one stub. Raises UsageError when nothing can be restored; then nothing was changed."""
    click.echo(stubs.restore(one_exercise(stubs.handed_out(find_dojo()), wanted)))
    return 0
