"""nbgrader assignments: one notebook per chapter, whose cells have nbgrader's metadata (schema version 3).

An exercise is three cells: a solution cell with the stub, a locked test cell with its visible tests, and a locked task cell
with its points. nbgrader runs the tests in the learner's own kernel, where anything can make them pass, so they are worth 0
points. The points are given by hand in nbgrader's sense: `torchdojo report --format nbgrader --gradebook` enters them. Those of
a bonus exercise lie beyond the maximum, so its task cell is worth 0. The marker in the first line of a solution cell lets
`torchdojo grade` find it.
"""

from __future__ import annotations

import ast
import hashlib
import re
from typing import Any, TypedDict

from torchdojo.course import given
from torchdojo.course.exercise import Exercise
from torchdojo.course.nbgrader_cells import points_cell, tests_cell
from torchdojo.course.notebook_cells import TAG, marked
from torchdojo.judge.record import counted, number
from torchdojo.notebook.build import KERNEL, install, lesson_text
from torchdojo.release.files import Release, filled

FEEDBACK = "# Feedback only: these tests give no points."
POINTS = "**{name}: {points}.** Hidden checks on your cell above decide how many of them you get. The visible tests don't count."


def assignments(release: Release) -> dict[str, bytes]:
    """Path to content, as nbgrader lays out a course: `source/03_autograd/03_autograd.ipynb`."""
    files = {"nbgrader_config.py": filled("nbgrader_config.py.txt", {}).encode()}
    files |= {f"source/{chapter}/{chapter}.ipynb": _notebook(release, chapter) for chapter in release.chapters}
    for chapter in release.chapters:  # nbgrader copies what lies beside a notebook
        files |= {path.replace("exercises", "source", 1): data for path, data in given.contents(release.dojo.root, chapter).items()}
    return files


def _notebook(release: Release, chapter: str) -> bytes:
    import nbformat  # nbformat is slow to import
    from nbformat import v4

    lesson = lesson_text(release.dojo.root, chapter).rstrip()
    cells = [_cell("markdown", "lesson", lesson, locked=True), v4.new_code_cell(install(release.dojo.root), id="install")]
    for e in release.exercises:
        if e.chapter == chapter:
            cells.append(_cell("code", e.stem, marked(e.stub.read_text(encoding="utf-8"), e.id), solution=True))
            cells[-1].metadata["tags"] = [f"{TAG}{e.id}"]
            if e.test.exists():
                cells.append(_cell("code", tests_cell(e.id), f"{FEEDBACK}\n{tests_of(e)}", locked=True, points=0))
            points = number(release.points[e.id])
            text = POINTS.format(name=e.stem, points=counted(points, "bonus point" if e.bonus else "point"))
            cells.append(_cell("markdown", points_cell(e.id), text, locked=True, points=0 if e.bonus else points, task=True))
    book = v4.new_notebook(cells=cells)
    book.metadata["kernelspec"] = KERNEL
    return f"{nbformat.writes(book, version=4)}\n".encode()


class Flags(TypedDict, total=False):
    """What nbgrader keeps of a cell in its metadata, but for the checksum. Only cells with a grade have points."""

    schema_version: int
    grade_id: str
    cell_type: str
    grade: bool
    solution: bool
    locked: bool
    task: bool
    points: float


def _cell(
    kind: str,
    name: str,
    source: str,
    *,
    locked: bool = False,
    solution: bool = False,
    points: float | None = None,
    task: bool = False,
) -> Any:
    """A cell of one of nbgrader's kinds: a solution; locked with points, that is tests, or a task that is graded by hand; locked
    without points, that is read-only."""
    from nbformat import v4  # nbformat is slow to import

    made = v4.new_code_cell(source, id=name) if kind == "code" else v4.new_markdown_cell(source, id=name)
    known: Flags = {
        "schema_version": 3,
        "grade_id": name,
        "cell_type": kind,
        "grade": points is not None and not task,
        "solution": solution,
        "locked": locked,
        "task": task,
    }
    if points is not None:
        known["points"] = points
    made.metadata["nbgrader"] = {**known, "checksum": checksum(source, known)}
    return made


def checksum(source: str, known: Flags) -> str:
    """nbgrader's own: md5 over source, kind, flags, name and points."""
    parts = [source, known["cell_type"], *(str(known[flag]) for flag in ("grade", "solution", "locked")), known["grade_id"]]
    parts += [str(float(known["points"]))] if known["grade"] else []
    return hashlib.md5("".join(parts).encode(), usedforsecurity=False).hexdigest()


def tests_of(exercise: Exercise) -> str:
    """The visible tests as a cell: the names that they import from the exercise's file are defined above it."""
    source = exercise.test.read_text(encoding="utf-8")
    source = re.sub(rf"^from {exercise.stem} import .*\n", "", source, flags=re.MULTILINE)
    source = re.sub(r'\A""".*?"""\n+', "", source, flags=re.DOTALL)
    names = [n.name for n in ast.parse(source).body if isinstance(n, ast.FunctionDef) and n.name.startswith("test_")]
    return source.rstrip() + "\n\n\n" + "\n".join(f"{name}()" for name in names)
