"""Moodle: a CSV for Grades > Import, or for an assignment's grading worksheet when the context has one as `template`."""

from __future__ import annotations

from collections.abc import Sequence

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.common.errors import UsageError
from torchdojo.judge.record import counted, number
from torchdojo.reports.many import _places
from torchdojo.reports.many._cells import lines
from torchdojo.reports.many._places import Context
from torchdojo.reports.many.canvas import points

FILE = "moodle.csv"
SIGNS = {"Email address": ("email", "key"), "ID number": ("id", "key"), "Username": ("key",)}
SIGNS |= {"Identifier": ("number",), "Full name": ("name", "key")}


def write(book: Gradebook, context: Context) -> str:
    """Without a template: Username, ID number, Email address, the item, and a column of feedback that the import maps.
    A grading worksheet (with the columns Identifier and Grade) is filled in and stays as it is otherwise.

    Raises UsageError for a template without the columns."""
    template, column = context.get("template"), context.get("column")
    if template is None:  # without a roster, `id` is the number in a file name, which is no ID number
        item = column or f"torchdojo {book.title}"
        rows: list[list[object]] = [["Username", "ID number", "Email address", item, f"{item} feedback"]]
        rows += [[s.key, s.id if s.row else "", s.email, points(s, book), comment(s)] for s in book.students]
        return lines(rows)
    header = template[0]
    places = {name: n for n, name in enumerate(header)}
    grade = column or "Grade"
    if "Identifier" not in places or grade not in places:
        raise UsageError(f"--gradebook: it has no columns Identifier and {grade}; download the grading worksheet of the assignment")
    rows = [list(header)]
    for line, student in zip(template[1:], placed_in(book, template), strict=True):
        row: list[object] = [*line, *[""] * (len(header) - len(line))]
        if student is not None:
            row[places[grade]] = _scaled(points(student, book), row, places, book)
            if "Feedback comments" in places:
                row[places["Feedback comments"]] = comment(student)
        rows.append(row)
    return lines(rows)


def placed_in(book: Gradebook, template: Sequence[list[str]]) -> list[Graded | None]:
    """Whose each line of a grading worksheet is, the header left out."""
    return _places.placed_in(template, SIGNS, book.students, "Participant ")


def comment(student: Graded) -> str:
    """Remarks for the learner beside the grade."""
    whole = student.totals
    bonus = f"{number(whole.bonus)} of {counted(whole.bonus_worth, 'bonus point')} included" if whole.bonus_worth else ""
    late = f"late: -{counted(student.late_points, 'point')} ({student.late_rule})" if student.late_rule else ""
    by_hand = [f"by hand: {m.words()}" for m in student.marks]
    pending = "" if student.final else "not graded yet"
    return "; ".join(filter(None, [pending, student.problem, bonus, late, *(d.words() for d in student.decisions), *by_hand]))


def _scaled(value: float | int | str, row: list[object], places: dict[str, int], book: Gradebook) -> float | int | str:
    """The worksheet says how many points the assignment has there, and Moodle refuses a row with more."""
    try:
        most = float(str(row[places["Maximum Grade"]]).replace(",", "."))
    except (KeyError, ValueError):
        return value
    if isinstance(value, str) or not book.max_score:
        return value
    return number(min(most, value * most / book.max_score))
