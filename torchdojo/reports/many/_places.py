"""Find each student's row in a file exported by a learning platform. A row that fits two students matches neither."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

from torchdojo.classroom.gradebook import Graded
from torchdojo.classroom.roster import normalised


class Context(TypedDict, total=False):
    """Options of a format of `many`. template: the rows of an exported gradebook. column: the assignment's."""

    template: Sequence[list[str]] | None
    column: str | None


Columns = Mapping[str, Sequence[str]]  # columns, the strictest first, and which facts of a student each may hold
Sign = tuple[Sequence[str], str]  # what of a student it may be (key, id, number, email, name), and the word that is there


def placed_in(
    template: Sequence[Sequence[str]], columns: Columns, students: Sequence[Graded], prefix: str = ""
) -> list[Graded | None]:  # fmt: skip
    """The student of each row of an exported gradebook, without its header. prefix: what may precede a number there."""
    header = template[0]
    there = [(header.index(name), kinds) for name, kinds in columns.items() if name in header]
    lines = ([(kinds, row[n].removeprefix(prefix)) for n, kinds in there if n < len(row)] for row in template[1:])
    return placed(lines, students)


def placed(lines: Iterable[Sequence[Sign]], students: Sequence[Graded]) -> list[Graded | None]:
    """The student of each line. Each line gives its signs, the strictest first; a student has one line, by their strictest sign."""
    known: dict[tuple[str, str], list[Graded]] = {}
    for s in students:
        number = s.number or ("" if s.row else s.id)
        for kind, word in (("key", s.key), ("id", s.id), ("number", number), ("email", s.email), ("name", s.name)):
            if normalised(word):
                known.setdefault((kind, normalised(word)), []).append(s)
    waiting = list(lines)
    owners: list[Graded | None] = [None] * len(waiting)
    taken: set[str] = set()
    for level in range(max(map(len, waiting), default=0)):
        for n, signs in enumerate(waiting):
            if owners[n] is not None or level >= len(signs):
                continue
            kinds, word = signs[level]
            claims = {s.key: s for kind in kinds for s in known.get((kind, normalised(word)), [])}
            if len(claims) == 1 and not claims.keys() & taken:
                owners[n] = next(iter(claims.values()))
                taken |= claims.keys()
    return owners


def without_line(owners: Sequence[Graded | None], students: Sequence[Graded]) -> str:
    """A sentence about the students who have no line; '' when all have one."""
    there = {s.key for s in owners if s is not None}
    gone = [s.key for s in students if s.key not in there]
    more = ", ..." if len(gone) > 8 else ""
    return f"Not filled in, because they match no gradebook line or share one: {', '.join(gone[:8])}{more}" if gone else ""
