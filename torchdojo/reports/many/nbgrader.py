"""nbgrader's CSV of grades: a row per student and assignment, where an assignment is a chapter.

`reports/nbgrader_gradebook` writes the same points into nbgrader's own database.
"""

from __future__ import annotations

from collections.abc import Mapping

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.common.names import is_bonus
from torchdojo.judge.record import number
from torchdojo.reports.many._cells import lines
from torchdojo.reports.many._places import Context
from torchdojo.reports.one.nbgrader import HEADER

FILE = "grades.csv"


def write(book: Gradebook, context: Context) -> str:
    """With bonus exercises a score may be above max_score. What lateness costs is taken off already. No score where grading
    was interrupted."""
    worth = {e: book.possible(e) for e in book.exercises}
    rows: list[list[object]] = [[*HEADER]]
    for chapter in dict.fromkeys(e.partition("/")[0] for e in book.exercises):
        most = number(sum(n for e, n in worth.items() if e.startswith(f"{chapter}/") and not is_bonus(e)))
        for s in book.students:
            known = {e.id for e in s.record.exercises if e.complete} if s.pending else set(book.exercises)
            whole = all(e in known for e in book.exercises if e.startswith(f"{chapter}/"))
            score = number(sum(n for e, n in marks(s, worth).items() if e.startswith(f"{chapter}/"))) if whole else ""
            rows.append([chapter, "", "", s.key, "", s.name if s.name != s.key else "", s.email, score, 0, score, most])
    return lines(rows)


def marks(student: Graded, worth: Mapping[str, float]) -> dict[str, float]:
    """The points that count of each exercise that was graded, where a right one is worth what `worth` says.

    What the instructor added to the total goes to the first exercise, because nbgrader has points of cells alone.
    """
    graded = [e for e in student.record.exercises if e.id in worth and e.complete and e.max_score]
    points = {e.id: student.kept * student.points(e) / e.max_score * worth[e.id] for e in graded}
    if graded and any(d.add and not d.exercise for d in student.decisions):
        added = student.score - student.kept * sum(student.points(e) for e in student.record.exercises)
        core = [e for e in graded if not is_bonus(e.id)] or graded
        points[graded[0].id] += added * sum(worth[e.id] for e in core) / sum(e.max_score for e in core)
    return points
