"""`torchdojo hint [EXERCISE]`: show the next hint of an exercise, and remember which hints were shown."""

from __future__ import annotations

import textwrap

import click

from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo, Exercise, find_dojo
from torchdojo.course.hints import hints_of
from torchdojo.course.stubs import handed_out
from torchdojo.learner.memory import Memory
from torchdojo.learner.standing import at_hand


@click.command()
@click.argument("exercise", required=False)
@click.option("--again", is_flag=True, help="Show the earlier hints again.")
def command(exercise: str | None, again: bool) -> None:
    """Show the next hint for an exercise. Example: torchdojo hint ex05_jacobian (default: the current exercise)."""
    raise SystemExit(run(exercise, again=again))


def run(wanted: str | None, *, again: bool = False) -> int:
    """Show one more hint, or with `again` those that were shown. Raises UsageError when there is none."""
    dojo = handed_out(find_dojo())
    exercise = one_exercise(dojo, wanted, done=False)
    hints = hints_of(exercise)
    if not hints:
        raise UsageError(f"this repository has no hints for {exercise.id}; read its lesson: {exercise.reading}")
    memory = Memory(dojo.root)
    shown = min(memory.hints(exercise), len(hints))
    if again and not shown:
        raise UsageError(f"you haven't seen a hint for {exercise.id} yet; run `torchdojo hint {exercise.id}`")
    if again:
        for level in range(1, shown + 1):
            show(exercise, level, hints)
        return 0
    level = min(shown + 1, len(hints))
    memory.remember_hints(exercise, level)
    show(exercise, level, hints)
    if shown == len(hints):
        click.echo(f"That was the last hint again. To see all: torchdojo hint --again {exercise.id}", err=True)
    return 0


def show(exercise: Exercise, level: int, hints: tuple[str, ...]) -> None:
    click.echo(f"{exercise.id}, hint {level} of {len(hints)}:")
    click.echo(textwrap.fill(hints[level - 1], width=76, initial_indent="  ", subsequent_indent="  "))


def one_exercise(dojo: Dojo, wanted: str | None, *, done: bool = True) -> Exercise:
    """The exercise that a word names; without a word the current exercise, which is printed.

    done: may the current exercise be done already? Raises UsageError if no exercise matches, or several do.
    """
    if wanted is None:
        exercise, why = at_hand(dojo, Memory(dojo.root), done=done)
        click.echo(f"{exercise.id} ({why})", err=True)
        return exercise
    matches = dojo.select(wanted)
    exact = [e for e in matches if wanted.removesuffix(".py").strip("/").endswith(e.stem)]
    matches = exact or matches
    if len(matches) > 1:
        some = ", ".join(e.id for e in matches[:3])
        raise UsageError(f"{wanted!r} names {len(matches)} exercises; name one of them, for example: {some}")
    return matches[0]
