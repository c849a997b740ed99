"""JUnit XML: one test suite per student, one test case per check.

The schemas in use have no points and no properties of test cases, so points are properties of the suite:
`<property name="points:03_autograd.ex05_jacobian.check" value="2/3"/>`.
"""

from __future__ import annotations

from collections import Counter
from xml.etree.ElementTree import Element, SubElement

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.common.plain_text import xml
from torchdojo.judge.record import CheckRecord, number
from torchdojo.reports import junit
from torchdojo.reports.many._places import Context

FILE = "grades.xml"


def write(book: Gradebook, context: Context) -> str:
    """One `testsuites` element. Times are seconds."""
    root = junit.suites()
    totals: Counter[str] = Counter()
    for student in book.students:
        totals.update(_suite(root, student))
    for name in ("tests", "failures", "errors"):  # the element knows no "skipped"
        root.set(name, str(totals[name]))
    return junit.document(root)


def _suite(root: Element, student: Graded) -> dict[str, int]:
    suite = SubElement(root, "testsuite", name=xml(student.key))
    values: dict[str, str | float] = {"student": student.name}
    if student.pending:
        values |= {"status": student.status}
    else:
        values |= {"score": number(student.score), "max_score": number(student.max_score)}
        values |= {"bonus_score": number(student.totals.bonus)} if student.totals.bonus_worth else {}
        values |= {"graded_score": number(student.graded_score)} if student.decisions or student.marks else {}
        values |= {"by_hand_points": number(student.hand_points)} if student.marks else {}
        values |= {"late_points": number(student.late_points)} if student.late_rule else {}
    values |= {"late_seconds": round(student.late)} if student.late else {}
    every = [(e.id.replace("/", "."), c) for e in student.record.exercises for c in e.checks]
    points = [(f"points:{name}.{c.name}", f"{number(c.score)}/{number(c.max_score)}") for name, c in every]
    words = [("decision", d.words()) for d in student.decisions] + [("by_hand", m.words()) for m in student.marks]
    junit.properties(suite, [*values.items(), *words, *points])
    for exercise, check in every:
        _case(suite, exercise, check)
    counts = junit.count(suite, [check.status for _, check in every])
    suite.set("time", f"{sum(check.seconds for _, check in every):.3f}")
    return counts


def _case(suite: Element, exercise: str, check: CheckRecord) -> None:
    case = SubElement(suite, "testcase", classname=exercise, name=xml(check.name), time=f"{check.seconds:.3f}")
    attributes = {"message": check.title} | ({"type": check.status} if check.status != "skipped" else {})
    junit.ending(case, check.status, check.feedback, attributes)
