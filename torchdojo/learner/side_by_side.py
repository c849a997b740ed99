"""Show our solution of an exercise next to the learner's code."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchdojo.course.exercise import Exercise

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

NARROW = 72  # columns below which two sides do not fit; one is shown after the other


def is_there(exercise: Exercise) -> bool:
    """Does this copy hold the solution, and the checks that say when it may be shown?"""
    return exercise.reference.exists() and exercise.grader.exists()


def beside(exercise: Exercise, width: int) -> Iterator[RenderableType]:
    """Both sides, as parts for a console with `width` columns."""
    from rich.table import Table  # Rich is slow to import
    from rich.text import Text

    sides = (exercise.stub, exercise.reference)
    mine, ours = (without_docstrings(file.read_text(encoding="utf-8", errors="replace")) for file in sides)
    if width < NARROW:
        for title, side in (("yours", mine), ("ours", ours)):
            yield Text(f"{title}: {exercise.stem}.py", style="bold")
            yield from (Text(f"{number:>4} {text}") for number, text in side)
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
    yield table


def without_docstrings(source: str) -> list[tuple[int, str]]:
    """The lines of a file with their numbers, without docstrings."""
    lines = list(enumerate(source.splitlines(), 1))
    drop: set[int] = set()
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return lines
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            first = node.body[0]
            if first.lineno > getattr(node, "lineno", 0):  # `def f(): "..."` is one line
                drop |= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
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


def cells(side: tuple[int, str] | None, style: str) -> tuple[str, Text]:
    from rich.text import Text  # Rich is slow to import

    return (str(side[0]), Text(side[1], style=style)) if side else ("", Text(""))
