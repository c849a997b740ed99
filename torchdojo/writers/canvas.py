"""Canvas: a CSV for Grades > Import. The columns Student, ID, SIS User ID, SIS Login ID, Section, and the assignment."""

from __future__ import annotations

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.classroom.roster import normalised
from torchdojo.exercise import UsageError
from torchdojo.record import number
from torchdojo.writers._cells import lines

FILE = "canvas.csv"
IDENTITY = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]


def text(book: Gradebook, template: list[list[str]] | None = None, column: str | None = None) -> str:
    """template: the rows of an exported Canvas gradebook, whose lines and identifiers are then kept, and of whose assignments
    only the one in `column` is filled in. column: the assignment's name, with or without Canvas' number behind it.

    Raises UsageError for a template without the columns."""
    if template is None:
        name = column or f"torchdojo {book.title}"
        rows: list[list[object]] = [[*IDENTITY, name], ["    Points Possible", *[""] * 4, number(book.max_score)]]
        rows += [[*_identity(s), points(s, book)] for s in book.students]
        return lines(rows)
    header = template[0]
    missing = [w for w in ("Student", "ID") if w not in header]
    if missing:
        raise UsageError(f"--gradebook: it has no column {missing[0]}; export it from Canvas by Grades > Export")
    place = _column(header, column)
    kept = [header.index(w) for w in IDENTITY if w in header]
    known = {sign: s for s in book.students for sign in (normalised(w) for w in (s.id, s.key, s.email)) if sign}
    rows = [[*(header[k] for k in kept), header[place]]]
    for row in template[1:]:
        row = row + [""] * (len(header) - len(row))
        signs = [normalised(row[header.index(w)]) for w in ("SIS Login ID", "SIS User ID", "ID") if w in header]
        student = next((known[sign] for sign in signs if sign in known), None)
        possible = row[header.index("Student")].strip().casefold().startswith("points possible")
        value = number(book.max_score) if possible else row[place] if student is None else points(student, book)
        rows.append([row[k] for k in kept] + [value])
    return lines(rows)


def points(student: Graded, book: Gradebook) -> float | int | str:
    """Points on the class's scale: what broke by our fault is left out of the reckoning. '' for what is not graded yet."""
    if student.pending:
        return ""
    if not student.max_score or student.max_score == book.max_score:
        return number(round(student.score, 4))
    return number(round(student.score * book.max_score / student.max_score, 4))


def _identity(student: Graded) -> list[str]:
    row = {k.strip().casefold(): v for k, v in student.row.items()}
    return [
        student.name,
        row.get("id", ""),
        row.get("sis user id", student.id),
        row.get("sis login id", student.key),
        row.get("section", ""),
    ]


def _column(header: list[str], wanted: str | None) -> int:
    if wanted is None:
        raise UsageError("--gradebook needs --column: the assignment's name in it")
    found = [n for n, h in enumerate(header) if h == wanted or h.rpartition(" (")[0] == wanted]
    if len(found) != 1:
        raise UsageError(f"--column {wanted}: the gradebook has {len(found)} such columns")
    return found[0]
