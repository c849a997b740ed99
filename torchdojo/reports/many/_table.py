"""The table of students on the page of a class: a row for each, a cell for each exercise."""

from __future__ import annotations

from dataclasses import dataclass

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.classroom.text import duration, moment
from torchdojo.judge.record import ExerciseRecord, number
from torchdojo.reports.many._analysis import section_of


@dataclass(frozen=True)
class Row:
    """A student in the table. share: of the points, from 0 to 1; mark: after the name; points: those that count, in words.

    at: when it was handed in, in seconds since 1970, 0 if that is unknown; when, lateness: in words; late: in seconds.
    cells: for each exercise the kind of cell, which is its color, and its text.
    """

    key: str
    name: str
    email: str
    section: str
    score: float
    share: float
    mark: str
    points: str
    at: int
    when: str
    late: int
    lateness: str
    cells: list[tuple[str, str]]


def row_of(student: Graded, book: Gradebook) -> Row:
    """The student's row."""
    share = student.score / student.max_score if student.max_score else 0.0
    points = "?" if student.pending else f"{number(student.score)}{' *' if student.decisions or student.marks else ''}"
    cost = f"−{number(student.late_points)}" if student.late_rule else ""
    late = ", ".join(filter(None, [duration(student.late) if student.late else "", cost]))
    when = moment(student.handed_in).removesuffix(" UTC") or ("" if student.submission else "nothing")
    cells = [cell_of(student, student.by_id.get(e), e) for e in book.exercises]
    mark, at = " ?" * bool(student.unclear), int(student.handed_in or 0)
    return Row(
        student.key, student.name, student.email, section_of(student), student.score, round(share, 4), mark, points, at, when,
        int(student.late), late, cells,
    )  # fmt: skip


def cell_of(student: Graded, exercise: ExerciseRecord | None, exercise_id: str) -> tuple[str, str]:
    """(p: all points, d: done, q: part of the points, z: none, t: not begun, u: can't be read, e: an internal error, g: not graded
    yet; the text)."""
    if exercise is None or not exercise.complete:
        return "g", "?"
    status, points = exercise.status, student.points(exercise)
    if status == "error":
        return "e", "!"
    mark = " ★" if exercise.star else " ✓" if exercise.done else ""
    if points >= exercise.max_score > 0:
        return "p", f"{number(points)}{mark}"
    if exercise.done:
        return "d", f"{number(points, 2)}{mark}"
    if points > 0:
        return "q", str(number(points, 2))
    if student.unreadable(exercise_id):
        return "u", "×"
    return {"todo": ("t", "–"), "skipped": ("t", "skipped")}.get(exercise.state, ("z", "0"))
