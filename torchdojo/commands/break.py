"""`torchdojo break [EXERCISE]`: change a line of a solution that is done, and ask what its visible tests will find."""

# ruff: noqa: N999  (the module has the name of its command, which is a keyword; cli imports it by that name)

from __future__ import annotations

import ast
import textwrap

import click

from torchdojo.commands.hint import one_exercise
from torchdojo.commands.progress import Notice
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Exercise, find_dojo
from torchdojo.course.settings import settings_of
from torchdojo.course.stubs import handed_out
from torchdojo.learner.breaks import Question, ask
from torchdojo.learner.memory import Memory
from torchdojo.learner.standing import Looker
from torchdojo.limits import VISIBLE_SECONDS


@click.command()
@click.argument("exercise", required=False)
def command(exercise: str | None) -> None:
    """Change a line of your solution, and ask you what happens. The exercise must be done (default: the current exercise)."""
    raise SystemExit(run(exercise))


def run(wanted: str | None) -> int:
    """Ask one question and print the answer. Exit code 0 if the learner was right, else 1. Raises UsageError if there is none."""
    dojo = handed_out(find_dojo())
    if not settings_of(dojo.root).breaks:
        raise UsageError('this course has switched `break` off: break = "off" in its pyproject.toml; ask your instructor')
    exercise = one_exercise(dojo, wanted)
    memory, tell = Memory(dojo.root), Notice()
    looker = Looker(dojo, memory)
    try:
        standing = looker.standing(exercise, tell)
        if standing.state != "done":
            click.echo(f"{exercise.id} is not done yet; `break` asks about solutions that are done.", err=True)
            return 1
        if is_quiz(exercise):
            raise UsageError(f"{exercise.id} is a quiz, with nothing to change; name another exercise")
        tell(f"changing {exercise.id}")
        question = ask(
            exercise,
            memory.breaks(exercise),
            lambda folder: looker.visible.wait(
                looker.visible.ask(test=str(exercise.test), submission=str(folder), seconds=VISIBLE_SECONDS)
            ),
        )
    finally:
        looker.close()
        tell.clear()
    if question is None:
        right = sum(memory.breaks(exercise).values())
        raise UsageError(f"there is no question left about {exercise.id}; you answered {right} right. Name another exercise")
    show(exercise, question)
    answer = click.prompt("Your answer", type=click.IntRange(1, len(question.choices))) - 1
    memory.remember_break(exercise, question.change.key, answer == question.right)
    click.echo("Right.\n" if answer == question.right else f"No. It is {question.right + 1}.\n")
    click.echo(question.message)
    return 0 if answer == question.right else 1


def is_quiz(exercise: Exercise) -> bool:
    """Does the file consist of answers?"""
    names = {n.id for n in ast.walk(ast.parse(exercise.stub.read_bytes())) if isinstance(n, ast.Name)}
    return "ANSWERS" in names


def show(exercise: Exercise, question: Question) -> None:
    """Print the change and the choices."""
    change = question.change
    what = "changes" if change.before.strip() and change.after.strip() else "is added" if change.after.strip() else "is left out"
    click.echo(f"Suppose that line {change.line} of {exercise.stem}.py {what}. Your file stays as it is.\n")
    for mark, line in (("-", change.before), ("+", change.after)):
        if line.strip():
            click.echo(f"  {mark} {line}")
    click.echo("\nWhich test fails first, and how?\n")
    for number, choice in enumerate(question.choices, 1):
        claim, _, effect = choice.partition("\n")
        click.echo(textwrap.fill(claim, 76, initial_indent=f"  {number}  ", subsequent_indent=" " * 5))
        if effect:
            click.echo(textwrap.fill(effect, 76, initial_indent=" " * 7, subsequent_indent=" " * 7))
    click.echo("")
