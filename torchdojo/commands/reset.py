"""`torchdojo reset EXERCISE`: the stub as it was handed out; the learner's version is kept beside it."""

from __future__ import annotations

import click

from torchdojo.commands.hint import one_exercise
from torchdojo.common.errors import UsageError
from torchdojo.common.files import free_name, write_whole
from torchdojo.course import stubs
from torchdojo.course.exercise import find_dojo


@click.command()
@click.argument("exercise")
def command(exercise: str) -> None:
    """Restore the stub of an exercise; your version is kept beside it."""
    raise SystemExit(run(exercise))


def run(wanted: str) -> int:
    """Restore one stub. Raises UsageError when nothing can be restored; then nothing was changed."""
    dojo = find_dojo()
    exercise = one_exercise(stubs.handed_out(dojo), wanted)
    text = stubs.pristine(exercise)
    name = f"exercises/{exercise.id}.py"
    if text is None:
        raise UsageError(f"no copy of the stub of {exercise.id} is kept in {stubs.FILE}; `git log {name}` may know it")
    if stubs.untouched(exercise):
        click.echo(f"{name} is the stub already; nothing was changed.")
        return 0
    kept = ""
    try:
        if exercise.stub.exists():
            aside = free_name(exercise.stub, "mine")
            with aside.open("xb") as f:  # never over a file that has just come to be there
                f.write(exercise.stub.read_bytes())
            kept = f" Your version is kept as {aside.name}."
        write_whole(exercise.stub, text)
    except OSError as error:
        raise UsageError(f"{name} cannot be reset: {error.strerror}; it is as it was") from None
    click.echo(f"{name} is the stub again.{kept}")
    return 0
