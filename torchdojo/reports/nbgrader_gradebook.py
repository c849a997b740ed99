"""Enter a class's points into nbgrader's gradebook, by nbgrader's own API.

The task cell of each exercise (`release/nbgrader`) gets the points as its manual score and the feedback as its comment.
`nbgrader autograde` runs learners' code with access to this database, so the contents of our cells are replaced, and points
that nbgrader counts beside ours are reported.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.common.errors import UsageError
from torchdojo.common.names import is_bonus
from torchdojo.course.nbgrader_cells import points_cell, tests_cell
from torchdojo.judge.record import counted, number
from torchdojo.reports.many._places import placed, without_line
from torchdojo.reports.many.markdown import escaped, section
from torchdojo.reports.many.nbgrader import marks

FILE = "gradebook.db"
AGAIN = "run `torchdojo release --nbgrader` and `nbgrader generate_assignment` again"


@dataclass
class Assignment:
    """An assignment of nbgrader's with cells of ours: {exercise: (notebook, what its cell is worth there)}."""

    name: str
    cells: dict[str, tuple[str, float]] = field(default_factory=dict)


def fill(book: Gradebook, place: str, column: str | None, bonus: dict[str, float]) -> list[str]:
    """Write the points of all students. Returns the lines to print.

    place: gradebook.db, the folder that it is in, or a database's address. column: the assignment's name there, if the exercises
    are in several. bonus: what exercises are worth by id, for the bonus exercises; without it, the points of their checks.
    Raises UsageError for a database that can't be used.
    """
    with _opened(place) as database:
        assignments = _assignments(database, book, column)
        there = {a.name: {s.student.id for s in database.assignment_submissions(a.name)} for a in assignments}
        owners = _owners(database, book)
        lines: list[str] = []
        for student, owner in owners.items():
            if owner.submission:
                for assignment in assignments:
                    lines += _enter(database, assignment, student, owner, bonus)
        database.db.commit()
        graded = {student for student, owner in owners.items() if owner.submission}
        handed_in = [s for s in book.students if s.submission]
        names = ", ".join(a.name for a in assignments)
        lines.append(f"{place}: {counted(len(graded), 'student')} in {names}.")
        lines += filter(None, [without_line([o for o in owners.values() if o.submission], handed_in)])
        for name, students in there.items():
            if others := sorted(students - graded):
                lines.append(f"{name}: handed in but not graded here: {_some(others)}. Grade again with these submissions.")
        known = {e for a in assignments for e in a.cells}
        if absent := [e for e in book.exercises if e not in known]:
            lines.append(f"Not in this gradebook: {_some(absent)}.")
        return lines


@contextmanager
def _opened(place: str) -> Iterator[Any]:
    try:
        from nbgrader.api import Course, Gradebook, InvalidEntry  # late: an extra
        from sqlalchemy import create_engine, select
        from sqlalchemy.exc import SQLAlchemyError
    except ImportError:
        raise UsageError("nbgrader is not installed here; run: pip install 'torchdojo[nbgrader]'") from None
    file = Path(place, FILE) if Path(place).is_dir() else Path(place)
    if "://" not in place and not file.is_file():
        raise UsageError(
            f"--gradebook: {file} does not exist; `nbgrader generate_assignment` creates {FILE} in the course's folder"
        )
    address = place if "://" in place else f"sqlite:///{file}"
    try:
        engine = create_engine(address)
        with engine.connect() as connection:  # nbgrader would add the tables to any other database
            (course,) = connection.execute(select(Course.id).limit(1)).one()
        engine.dispose()
        with warnings.catch_warnings(), Gradebook(address, course) as database:
            warnings.filterwarnings("ignore", module="nbgrader")  # sqlalchemy's advice to the authors of nbgrader
            yield database
    except (SQLAlchemyError, InvalidEntry, ValueError) as error:
        why = str(error).splitlines()[0]
        raise UsageError(
            f"--gradebook: {place} is not a gradebook of this nbgrader ({why}); `nbgrader db upgrade` updates an old one"
        ) from None


def _assignments(database: Any, book: Gradebook, column: str | None) -> list[Assignment]:
    """Those that have cells for exercises of the class. Raises UsageError if there is none, or an exercise is in several."""
    names = {points_cell(e): e for e in book.exercises}
    tests = {tests_cell(e) for e in book.exercises}
    assignments, paid = [], []
    for known in database.assignments:
        if column in (None, known.name):
            mine = Assignment(known.name)
            for notebook in known.notebooks:
                paid += [c.name for c in notebook.grade_cells if c.name in tests and c.max_score]
                mine.cells |= {names[c.name]: (notebook.name, c.max_score) for c in notebook.task_cells if c.name in names}
            assignments += [mine] if mine.cells else []
    if paid:
        raise UsageError(
            f"--gradebook: tests that run in the learner's process give points here ({_some(paid)}); {AGAIN} (docs/platforms.md)"
        )
    if not assignments:
        has = f"the assignment {column}" if column else "no assignment"
        raise UsageError(f"--gradebook: {has} {'lacks' if column else 'has'} cells for the points of these exercises; {AGAIN}")
    for e in book.exercises:
        if len(several := [a.name for a in assignments if e in a.cells]) > 1:
            raise UsageError(f"{e} is in the assignments {', '.join(several)}; choose one, for example --column {several[0]}")
    return assignments


def _owners(database: Any, book: Gradebook) -> dict[str, Graded]:
    """{nbgrader's id: student}: by the same key, else as for other gradebooks."""
    keys = {s.key: s for s in book.students}
    students = [s for s in database.students if s.id not in keys]
    owners = {s.id: keys[s.id] for s in database.students if s.id in keys}
    rest = [s for s in book.students if s.key not in owners]
    signs = [
        ((("key", "id", "number"), s.id), (("email",), s.email or ""), (("name",), f"{s.first_name or ''} {s.last_name or ''}"))
        for s in students
    ]
    return owners | {s.id: owner for s, owner in zip(students, placed(signs, rest), strict=True) if owner}


def _enter(database: Any, assignment: Assignment, student: str, owner: Graded, bonus: dict[str, float]) -> Iterator[str]:
    """Write one student's points for one assignment. Yields what the instructor should know."""
    submission = database.update_or_create_submission(assignment.name, student)
    most = {
        e: bonus.get(e, owner.by_id[e].max_score) if is_bonus(e) else n
        for e, (_, n) in assignment.cells.items()
        if e in owner.by_id
    }
    scores = marks(owner, most)
    sums = 0.0
    for exercise, (notebook, _) in assignment.cells.items():
        grades = [database.find_grade(points_cell(exercise), notebook, assignment.name, student)]
        if exercise not in scores:
            yield f"{student}: {exercise} was not graded; its points are left for you to give."
            continue
        score = number(scores[exercise])
        sums += score
        before = grades[0].manual_score
        if before not in (None, score):
            yield f"{student}: {exercise} had {number(before)}, now {number(score)}."
        grades[0].manual_score, grades[0].extra_credit, grades[0].needs_manual_grade = score, None, False
        comment = database.find_comment(points_cell(exercise), notebook, assignment.name, student)
        comment.manual_comment = _comment(owner, exercise)
        with_tests = [
            g
            for g in database.find_submission_notebook(notebook, assignment.name, student).grades
            if g.name == tests_cell(exercise)
        ]
        for grade in with_tests:
            grade.auto_score, grade.manual_score, grade.extra_credit, grade.needs_manual_grade = 0, None, None, False
    database.db.commit()
    database.db.refresh(submission)
    total = max(0.0, submission.score - (submission.late_submission_penalty or 0.0))
    if abs(total - sums) > 1e-3:
        yield f"{student}: nbgrader counts {number(total)} in {assignment.name}, of which {number(sums)} come from here."


def _comment(owner: Graded, exercise: str) -> str:
    """Markdown for the student; nothing in it is HTML."""
    if owner.problem:
        return escaped(owner.problem)
    late = [escaped(f"The late rule: {owner.late_rule}."), ""] if owner.late_rule else []
    late += [line for m in owner.marks if m.exercise in ("", exercise) for line in (escaped(f"By hand: {m.words()}"), "")]
    return "\n".join(late + section(owner, owner.by_id[exercise])).strip()


def _some(words: Iterable[str]) -> str:
    every = list(words)
    return ", ".join(every[:8]) + ", ..." * (len(every) > 8)
