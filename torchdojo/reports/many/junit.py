"""JUnit XML: a test suite for each student, a test case for each check.

The schemas in use know no points and no properties of a test case, so points are properties of the suite:
`<property name="points:03_autograd.ex05_jacobian.check" value="2/3"/>`.
"""

from __future__ import annotations

from xml.etree import ElementTree

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.common.plain_text import xml
from torchdojo.judge.record import CheckRecord, number

FILE = "grades.xml"


def text(book: Gradebook) -> str:
    """One `testsuites` element. Times are seconds."""
    root = ElementTree.Element("testsuites", name="torchdojo")
    totals = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for student in book.students:
        for name, n in _suite(root, student).items():
            totals[name] += n
    for name in ("tests", "failures", "errors"):  # the element knows no "skipped"
        root.set(name, str(totals[name]))
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _suite(root: ElementTree.Element, student: Graded) -> dict[str, int]:
    suite = ElementTree.SubElement(root, "testsuite", name=xml(student.key))
    values: dict[str, object] = {"student": student.name, "score": number(student.score), "max_score": number(student.max_score)}
    values |= {"graded_score": number(student.graded_score)} if student.decisions else {}
    values |= {"late_seconds": round(student.late)} if student.late else {}
    properties = ElementTree.SubElement(suite, "properties")
    every = [(e.id.replace("/", "."), c) for e in student.record.exercises for c in e.checks]
    points = [(f"points:{name}.{c.name}", f"{number(c.score)}/{number(c.max_score)}") for name, c in every]
    for name, value in [*values.items(), *(("decision", d.words()) for d in student.decisions), *points]:
        ElementTree.SubElement(properties, "property", name=name, value=xml(str(value)))
    counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    seconds = 0.0
    for exercise, check in every:
        counts["tests"] += 1
        seconds += check.seconds
        kind = _case(suite, exercise, check)
        if kind:
            counts[kind] += 1
    for name, n in counts.items():
        suite.set(name, str(n))
    suite.set("time", f"{seconds:.3f}")
    return counts


def _case(suite: ElementTree.Element, exercise: str, check: CheckRecord) -> str:
    """One test case; the name of the count that it adds to."""
    case = ElementTree.SubElement(suite, "testcase", classname=exercise, name=xml(check.name), time=f"{check.seconds:.3f}")
    if check.status == "passed":
        return ""
    tag, count = {"skipped": ("skipped", "skipped"), "error": ("error", "errors")}.get(check.status, ("failure", "failures"))
    message = {"message": xml(check.title)} | ({"type": check.status} if tag != "skipped" else {})
    inner = ElementTree.SubElement(case, tag, message)
    inner.text = xml(check.feedback)
    return count
