"""Points and comments by a person: the file by-hand.csv beside the journal. Grading reads it and never writes it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from torchdojo.classroom.facts import StudentFacts
from torchdojo.classroom.overrides import exercise_of, points_of, student_of
from torchdojo.classroom.roster import table
from torchdojo.common.errors import UsageError
from torchdojo.common.plain_text import one_line
from torchdojo.judge.record import number

NAME = "by-hand.csv"
COLUMNS = ("student", "exercise", "points", "comment")


@dataclass(frozen=True)
class Mark:
    """One line of the file. exercise: '' for a comment on the whole submission; points: added to the graders', 0 for none."""

    line: int
    student: str
    exercise: str
    points: float
    comment: str

    def words(self) -> str:
        """'+1.5 points in 03_autograd/ex05_jacobian: well named'"""
        points = f"{number(self.points):+} point{'s' * (abs(self.points) != 1)}" if self.points else ""
        where = " ".join(filter(None, [points, f"in {self.exercise}" if self.exercise else ""]))
        return ": ".join(filter(None, [where, self.comment]))


def read_marks(folder: Path) -> list[Mark]:
    """The lines of the file in a folder of grades; [] without one. Raises UsageError that names the line."""
    path = folder / NAME
    if not path.exists():
        return []
    header, *rows = table(path, "by hand:")
    columns = [one_line(title).lower() for title in header]
    if "student" not in columns or len(set(columns)) < len(columns) or set(columns) - set(COLUMNS):
        raise UsageError(f"{path}: the columns are {', '.join(COLUMNS)}; found: {', '.join(columns)}")
    return [_mark(dict(zip(columns, row, strict=False)), f"{path}, line {row.line}", row.line) for row in rows]


def check_marks(folder: Path, students: Mapping[str, StudentFacts], exercises: list[str]) -> None:
    """Raises UsageError for the first line of the file that fits no student or no exercise."""
    _, problems = placed(read_marks(folder), students, exercises, {})
    if problems:
        raise UsageError(problems[0])


def _mark(row: Mapping[str, str], place: str, line: int) -> Mark:
    student, exercise, points, comment = (one_line(row.get(name, "")) for name in COLUMNS)
    if not student:
        raise UsageError(f"{place}: fill in the column `student`")
    if not points and not comment:
        raise UsageError(f"{place}: this row says nothing; fill in points, comment or both")
    if points and not exercise:
        raise UsageError(f"{place}: points apply to one exercise; fill in the column `exercise`")
    return Mark(line, student, exercise, points_of(points, place, "points") if points else 0.0, comment)


def placed(
    marks: list[Mark], students: Mapping[str, StudentFacts], exercises: list[str], worth: Mapping[str, float]
) -> tuple[list[Mark], list[str]]:
    """(the marks with full keys and ids, a sentence about each that can't be used). worth: the points of exercises, where known."""
    resolved: list[Mark] = []
    problems = []
    for mark in marks:
        place = f"{NAME}, line {mark.line}"
        try:
            whole = replace(mark, student=student_of(mark.student, students, place))
            whole = replace(whole, exercise=exercise_of(mark.exercise, exercises, place) if mark.exercise else "")
            given = sum(m.points for m in [*resolved, whole] if (m.student, m.exercise) == (whole.student, whole.exercise))
            if abs(given) > worth.get(whole.exercise, math.inf):
                limit = f"{whole.exercise} has only {number(worth[whole.exercise])}"
                raise UsageError(f"{place}: {whole.student} gets {number(given):+} points by hand, but {limit}; correct the line")
        except UsageError as error:
            problems.append(str(error))
        else:
            resolved.append(whole)
    return resolved, problems
