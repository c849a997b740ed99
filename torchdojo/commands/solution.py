"""`torchdojo solution [EXERCISE]`: show the reference next to the learner's code, once the exercise is done."""

from __future__ import annotations

import click

from torchdojo.commands.hint import one_exercise
from torchdojo.commands.progress import Notice
from torchdojo.common.errors import UsageError
from torchdojo.course.answers import is_self_study
from torchdojo.course.exercise import Exercise, find_dojo
from torchdojo.course.hints import hints_of
from torchdojo.course.stubs import handed_out
from torchdojo.judge.record import number
from torchdojo.learner.memory import Memory
from torchdojo.learner.side_by_side import beside, is_there
from torchdojo.learner.standing import Looker

# for those who learn alone, and for students
MISSING = {
    True: "the solutions are in the package torchdojo-answers; pip install torchdojo-answers, then try again",
    False: "this repository has no reference solutions or hidden checks; your instructor has them",
}


@click.command()
@click.argument("exercise", required=False)
@click.option(
    "--give-up",
    is_flag=True,
    help="Show the solution before the exercise is done, once you have seen all hints. `progress` will show it.",
)
def command(exercise: str | None, give_up: bool) -> None:
    """Show our solution next to yours. The exercise must be done (default: the current exercise)."""
    raise SystemExit(run(exercise, give_up=give_up))


def run(wanted: str | None, *, give_up: bool = False) -> int:
    """Show both, or say what is missing. Exit code 1 before the exercise is done. Raises UsageError where there is no reference."""
    dojo = handed_out(find_dojo())
    exercise = one_exercise(dojo, wanted)
    if not is_there(exercise):
        raise UsageError(MISSING[is_self_study(dojo.root)])
    problem = not_yet(exercise)
    if problem and give_up:
        memory, hints = Memory(dojo.root), len(hints_of(exercise))
        if (shown := min(memory.hints(exercise), hints)) < hints:
            count = f"You have seen {shown} of {hints} hints; give up after the last one."
            problem = f"{count} `torchdojo hint {exercise.id}` shows the next."
        else:
            memory.remember_given_up(exercise)
            problem = None
    if problem:
        click.echo(problem, err=True)
        return 1
    show(exercise)
    return 0


def not_yet(exercise: Exercise) -> str | None:
    """Why the solution is not shown yet, as a sentence; None when it is."""
    looker, tell = Looker(find_dojo(exercise.root), Memory(exercise.root)), Notice()
    try:
        standing = looker.standing(exercise, tell)
    finally:
        looker.close()
        tell.clear()
    hint = f"`torchdojo hint {exercise.id}` shows a hint"
    if standing.state == "todo":
        return f"{exercise.id} is to do; the solution is shown once it is done. {hint}."
    if standing.state == "done" and standing.score is None:
        grade = f"torchdojo grade exercises --only {exercise.id} --course ."
        raise RuntimeError(f"the hidden checks could not be run; to see why, run: {grade}")
    if standing.score is None:
        return f"the visible tests of {exercise.id} do not pass yet; the solution is shown once they do. {hint}."
    if standing.state != "done":
        got = f"{number(standing.score)} of {number(standing.max_score or 0)} points"
        return f"{exercise.id} has {got}; the solution is shown once it is done. {hint}."
    return None


def show(exercise: Exercise) -> None:
    """Print both, side by side where the terminal is wide enough."""
    from rich.console import Console  # Rich is slow to import

    console = Console(highlight=False)
    for part in beside(exercise, console.width):
        console.print(part)
