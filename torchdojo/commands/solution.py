"""`torchdojo solution EXERCISE`: the reference beside the learner's own code, once that has full marks."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from torchdojo.commands.hint import one_exercise
from torchdojo.commands.progress import Notice
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Exercise, find_dojo
from torchdojo.course.stubs import handed_out
from torchdojo.judge.record import number
from torchdojo.learner.memory import Memory
from torchdojo.learner.standing import Looker

if TYPE_CHECKING:
    from rich.text import Text

NARROW = 72  # columns below which two sides do not fit; one is shown after the other


@click.command()
@click.argument("exercise")
def command(exercise: str) -> None:
    """Show our solution beside yours, once yours has full marks."""
    raise SystemExit(run(exercise))


def run(wanted: str) -> int:
    """Show both, or say what is missing. Exit code 1 before full marks. Raises UsageError where there is no reference."""
    exercise = one_exercise(handed_out(find_dojo()), wanted)
    if not exercise.reference.exists() or not exercise.grader.exists():
        raise UsageError("this repository holds no reference solutions and hidden checks; those who teach with it have them")
    problem = not_yet(exercise)
    if problem:
        click.echo(problem, err=True)
        return 1
    mine = without_docstrings(exercise.stub.read_text(encoding="utf-8"))
    ours = without_docstrings(exercise.reference.read_text(encoding="utf-8"))
    show(exercise, mine, ours)
    return 0


def not_yet(exercise: Exercise) -> str | None:
    """Why the solution is not shown yet, as a sentence; None when it is."""
    looker, tell = Looker(find_dojo(exercise.root), Memory(exercise.root)), Notice()
    try:
        found = looker.standing(exercise, tell)
    finally:
        looker.close()
        tell.clear()
    hint = f"`torchdojo hint {exercise.id}` shows a hint"
    if found.state == "todo":
        return f"{exercise.id} is to do; the solution is shown at full marks. {hint}."
    if found.state == "done" and found.score is None:
        raise RuntimeError(f"the hidden checks could not be run; `torchdojo grade exercises --only {exercise.id}` says why")
    if found.score is None:
        return f"the visible tests of {exercise.id} do not pass yet; the solution is shown at full marks. {hint}."
    if found.state != "done":
        got = f"{number(found.score)} of {number(found.max_score or 0)} points"
        return f"{exercise.id} has {got}; the solution is shown at full marks. {hint}."
    return None


def without_docstrings(source: str) -> list[tuple[int, str]]:
    """The lines of a file with their numbers; of each docstring only the first line."""
    lines = list(enumerate(source.splitlines(), 1))
    drop: set[int] = set()
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return lines
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            first = node.body[0]
            drop |= set(range(first.lineno + 1, (first.end_lineno or first.lineno) + 1))
    return [(n, text) for n, text in lines if n not in drop and text.strip()]


Row = tuple[str, "tuple[int, str] | None", "tuple[int, str] | None"]


def pairs(mine: list[tuple[int, str]], ours: list[tuple[int, str]]) -> Iterator[Row]:
    """Lines side by side: what is equal in the same row, what differs under the marks '|', '<' (only mine), '>' (only ours)."""
    matcher = difflib.SequenceMatcher(None, [t.strip() for _, t in mine], [t.strip() for _, t in ours], autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        for i in range(max(b - a, d - c)):
            left = mine[a + i] if a + i < b else None
            right = ours[c + i] if c + i < d else None
            yield " " if kind == "equal" else "|" if left and right else "<" if left else ">", left, right


def show(exercise: Exercise, mine: list[tuple[int, str]], ours: list[tuple[int, str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    if console.width < NARROW:
        for title, side in (("yours", mine), ("ours", ours)):
            console.print(f"{title}: {exercise.stem}.py", style="bold")
            for number_, text in side:
                console.print(Text(f"{number_:>4} {text}"))
        return
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, expand=True)
    for title, mark in ((f"yours: {exercise.stem}.py", "|"), ("ours", "")):
        table.add_column("", style="dim", justify="right")
        table.add_column(title, ratio=1, overflow="fold")
        if mark:
            table.add_column("", style="bold")
    for mark, left, right in pairs(mine, ours):
        changed = "" if mark == " " else "bold"
        table.add_row(*cells(left, changed), Text(mark), *cells(right, changed))
    console.print(table)


def cells(side: tuple[int, str] | None, style: str) -> tuple[str, Text]:
    from rich.text import Text

    return (str(side[0]), Text(side[1], style=style)) if side else ("", Text(""))
