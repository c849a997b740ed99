"""Canvas: a CSV for Grades > Import. The columns Student, ID, SIS User ID, SIS Login ID, Section, and the assignment."""

from __future__ import annotations

from collections.abc import Sequence

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.common.errors import UsageError
from torchdojo.common.plain_text import one_line
from torchdojo.judge.record import number
from torchdojo.reports.many import _places
from torchdojo.reports.many._cells import lines
from torchdojo.reports.many._places import Context

FILE = "canvas.csv"
IDENTITY = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
READ_ONLY = "(read only)"
SIGNS = {"SIS Login ID": ("key", "email", "id"), "SIS User ID": ("id", "key"), "ID": ("number", "id")}


def write(book: Gradebook, context: Context) -> str:
    """context: `template`, the rows of an exported gradebook, and `column`, an assignment's name with or without Canvas' number.
    Then its lines and identifiers are kept, and only this assignment is filled in, on the scale that it has there.

    Raises UsageError for a template without the columns."""
    template, column = context.get("template"), context.get("column")
    if template is None:
        name = column or f"torchdojo {book.title}"
        rows: list[list[object]] = [[*IDENTITY, name], ["    Points Possible", *[""] * 4, number(book.max_score)]]
        rows += [[*identity(s), points(s, book)] for s in book.students]
        return lines(rows)
    header = template[0]
    missing = [w for w in ("Student", "ID") if w not in header]
    if missing:
        raise UsageError(f"--gradebook: it has no column {missing[0]}; export it from Canvas with Grades > Export")
    kept = [header.index(w) for w in IDENTITY if w in header]

    def padded(row: list[str]) -> list[str]:
        return row + [""] * (len(header) - len(row))

    possible = next((row for row in map(padded, template[1:]) if _is_possible(row, header)), None)
    place = _column(header, column, reckoned={n for n, word in enumerate(possible or []) if word.strip() == READ_ONLY})
    owners = placed_in(book, template)
    scale = (_number(possible[place]) if possible else 0.0) or book.max_score
    rows = [[*(header[k] for k in kept), header[place]]]
    for row, student in zip(map(padded, template[1:]), owners, strict=True):
        value: object = row[place]
        if _is_possible(row, header):
            value = number(scale)
        elif student is not None and row[place].strip().upper() != "EX":  # a student who is excused there stays excused
            value = points(student, book, scale)
        rows.append([*(row[k] for k in kept), value])
    return lines(rows)


def placed_in(book: Gradebook, template: Sequence[list[str]]) -> list[Graded | None]:
    """Whose each line of an exported gradebook is, the header left out."""
    return _places.placed_in(template, SIGNS, book.students)


def _is_possible(row: list[str], header: list[str]) -> bool:
    return row[header.index("Student")].strip().casefold().startswith("points possible")


def _number(word: str) -> float:
    try:
        value = float(word.replace(",", "."))
    except ValueError:
        return 0.0
    return value if 0 < value < 1e9 else 0.0


def points(student: Graded, book: Gradebook, scale: float | None = None) -> float | int | str:
    """Points on the class's scale, or on another: what broke by our fault is left out of the reckoning. Bonus exercises come on
    top, so they may be above the scale.

    '' if it isn't graded yet, or failed because of an internal error."""
    whole = student.totals
    if student.pending or not (whole.worth or whole.bonus_worth or student.decisions):
        return ""
    unbroken = book.max_score / whole.worth if whole.worth else 1.0
    score = (whole.score - whole.bonus) * unbroken + whole.bonus
    return number(score * (scale / book.max_score if scale and book.max_score else 1.0))


def identity(student: Graded) -> list[str]:
    """As Canvas exported it; from another roster, `id` is the school's number, and Canvas' own comes from a file name alone."""
    row = {k.strip().casefold(): v for k, v in student.row.items()}
    exported = row.keys() & {"sis user id", "sis login id"}
    return [
        student.name,
        row.get("id", "") if exported else student.number,
        row.get("sis user id", "") if exported else student.id if row else "",
        row.get("sis login id", student.key),
        row.get("section", ""),
    ]


def _column(header: list[str], wanted: str | None, reckoned: set[int]) -> int:
    """The index of the assignment's column. reckoned: the columns that Canvas computes by itself and doesn't import."""
    if wanted is None:
        raise UsageError("--gradebook needs --column with the assignment's name in it")
    columns = [n for n, h in enumerate(header) if n not in reckoned and (h == wanted or h.rpartition(" (")[0] == wanted)]
    if len(columns) != 1:
        there = [one_line(h) for n, h in enumerate(header) if h and n not in reckoned and h not in IDENTITY]
        columns_there = f"{', '.join(there[:6])}{', ...' if len(there) > 6 else ''}" if there else "no assignment"
        raise UsageError(f"--column {wanted}: the gradebook has {len(columns)} such columns; it holds {columns_there}")
    return columns[0]
