"""`torchdojo symptom [EXERCISE]`: run the program that shows what is wrong with code that is to be repaired."""

from __future__ import annotations

import click

from torchdojo.commands.hint import one_exercise
from torchdojo.common.errors import UsageError
from torchdojo.course import given
from torchdojo.course.exercise import find_dojo
from torchdojo.course.stubs import handed_out, pristine
from torchdojo.learner import symptom


@click.command()
@click.argument("exercise", required=False)
def command(exercise: str | None) -> None:
    """Run the program at the top of a debugging exercise with your file (default: the current exercise)."""
    raise SystemExit(run(exercise))


def run(wanted: str | None) -> int:
    """Run each program of the symptom; 1 if an error stopped one. Raises UsageError for an exercise without a symptom."""
    exercise = one_exercise(handed_out(find_dojo()), wanted)
    mine = exercise.stub.read_text(encoding="utf-8", errors="replace") if exercise.stub.exists() else ""
    programs = symptom.programs_of(mine) or symptom.programs_of(pristine(exercise) or "")
    if not programs:
        raise UsageError(f"{exercise.id} shows no symptom; only exercises in which you repair code do")
    given.reachable(exercise.stub.parent)
    return 0 if all([symptom.run(program, exercise.stem) for program in programs]) else 1
