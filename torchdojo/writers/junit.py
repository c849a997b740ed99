"""JUnit XML: a test suite for each student, a test case for each check, points as properties."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from torchdojo.classroom.gradebook import Graded, Gradebook
from torchdojo.record import CheckRecord, number

FILE = "grades.xml"
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML 1.0 cannot hold


def text(book: Gradebook) -> str:
    """One `testsuites` element. Times are seconds."""
    root = ElementTree.Element("testsuites", name="torchdojo")
    totals = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for student in book.students:
        for name, n in _suite(root, student).items():
            totals[name] += n
    for name in ("tests", "failures", "errors"):
        root.set(name, str(totals[name]))
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _suite(root: ElementTree.Element, student: Graded) -> dict[str, int]:
    suite = ElementTree.SubElement(root, "testsuite", name=_clean(student.key))
    values: dict[str, object] = {"student": student.name, "score": number(student.score), "max_score": number(student.max_score)}
    values |= {"graded_score": number(student.graded_score)} if student.decisions else {}
    values |= {"late_seconds": round(student.late)} if student.late else {}
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in [*values.items(), *(("decision", d.words()) for d in student.decisions)]:
        ElementTree.SubElement(properties, "property", name=name, value=_clean(str(value)))
    counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    seconds = 0.0
    for exercise in student.record.exercises:
        for check in exercise.checks:
            counts["tests"] += 1
            seconds += check.seconds
            kind = _case(suite, exercise.id, check)
            if kind:
                counts[kind] += 1
    for name, n in counts.items():
        suite.set(name, str(n))
    suite.set("time", f"{seconds:.3f}")
    return counts


def _case(suite: ElementTree.Element, exercise: str, check: CheckRecord) -> str:
    """One test case; the name of the count that it adds to."""
    case = ElementTree.SubElement(suite, "testcase", classname=exercise.replace("/", "."), name=_clean(check.name), time=f"{check.seconds:.3f}")
    properties = ElementTree.SubElement(case, "properties")
    for name, value in (("title", check.title), ("points", number(check.max_score)), ("score", number(check.score))):
        ElementTree.SubElement(properties, "property", name=name, value=_clean(str(value)))
    if check.status == "passed":
        return ""
    tag, count = {"skipped": ("skipped", "skipped"), "error": ("error", "errors")}.get(check.status, ("failure", "failures"))
    first = check.feedback.strip().splitlines()[0] if check.feedback.strip() else check.status
    inner = ElementTree.SubElement(case, tag, message=_clean(first), type=check.status)
    inner.text = _clean(check.feedback)
    return count


def _clean(words: str) -> str:
    return FORBIDDEN.sub(lambda m: f"#x{ord(m[0]):02X}", words)
