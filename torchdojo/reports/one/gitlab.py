"""JUnit XML of one submission, as GitLab's `artifacts:reports:junit` reads it: a suite for each exercise."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from torchdojo.common.plain_text import xml
from torchdojo.reports.one.rounding import rounded
from torchdojo.reports.one.rows import Row, line, plain, rows_of

FILE = "junit.xml"


def write(record: dict[str, Any], context: dict[str, str]) -> str:
    """One `testsuites` element; points are properties of the cases."""
    root = ElementTree.Element("testsuites", name="torchdojo")
    for exercise in rounded(record)["exercises"]:
        found = list(rows_of(exercise))
        suite = ElementTree.SubElement(root, "testsuite", name=line(exercise["id"], 200), tests=str(len(found)))
        suite.set("failures", str(sum(_kind(row) == "failure" for row in found)))
        suite.set("errors", str(sum(row.ours for row in found)))
        suite.set("skipped", str(sum(row.status == "skipped" for row in found)))
        for row, check in zip(found, exercise["checks"], strict=True):
            _case(suite, row, float(check.get("seconds") or 0))
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _kind(row: Row) -> str:
    return {"passed": "", "skipped": "skipped", "error": "error"}.get(row.status, "failure")


def _case(suite: ElementTree.Element, row: Row, seconds: float) -> None:
    named = {"classname": row.exercise, "name": row.title, "file": f"exercises/{row.exercise}.py", "time": f"{seconds:.3f}"}
    case = ElementTree.SubElement(suite, "testcase", {k: xml(v) for k, v in named.items()})
    properties = ElementTree.SubElement(case, "properties")
    for name, value in (("score", row.score), ("points", row.worth)):
        ElementTree.SubElement(properties, "property", name=name, value=str(plain(value)))
    if _kind(row):
        first = row.text.splitlines()[0] if row.text else row.status
        inner = ElementTree.SubElement(case, _kind(row), message=xml(first), type=row.status)
        inner.text = xml(row.text)
