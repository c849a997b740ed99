"""The class as CSV: one line per student, one column per exercise."""

from __future__ import annotations

from torchdojo.classroom.gradebook import Gradebook
from torchdojo.classroom.text import duration, moment
from torchdojo.judge.record import number
from torchdojo.reports.many._cells import lines
from torchdojo.reports.many._places import Context

FILE = "grades.csv"


def write(book: Gradebook, context: Context) -> str:
    """Key, name, email, id, points, of how many, what the graders gave, how many of the points are bonus, status, when, late,
    what that costs, points by hand (part of score); then each exercise; then words. What is not graded yet is empty.
    """
    header = [
        "key",
        "name",
        "email",
        "id",
        "score",
        "max_score",
        "graded_score",
        "bonus_score",
        "status",
        "handed_in",
        "late",
        "late_points",
        "by_hand",
    ]
    rows: list[list[object]] = [[*header, *book.exercises, "decisions", "comments", "notes"]]
    for s in book.students:
        points = {e.id: number(s.points(e)) for e in s.record.exercises if e.complete}
        totals = [number(n) for n in (s.score, s.max_score, s.graded_score, s.totals.bonus)] if not s.pending else [""] * 4
        who = [s.key, s.name, s.email, s.id, *totals, s.status]
        late = duration(s.late) if s.late else ""
        comments = "; ".join(m.words() for m in s.marks)
        words = ["; ".join(d.words() for d in s.decisions), comments, " ".join(filter(None, [s.problem, *s.notes]))]
        cost = number(-s.late_points) if s.late_rule and not s.pending else ""
        given = number(s.hand_points) if s.marks and not s.pending else ""
        rows.append([*who, moment(s.handed_in), late, cost, given, *(points.get(e, "") for e in book.exercises), *words])
    return lines(rows)
