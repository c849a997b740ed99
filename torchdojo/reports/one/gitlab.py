"""JUnit XML of one submission for GitLab's `artifacts:reports:junit`: one suite per exercise."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from torchdojo.common.plain_text import xml
from torchdojo.judge.record import RecordJson, number
from torchdojo.reports import junit
from torchdojo.reports.rounding import rounded
from torchdojo.reports.rows import Row, line, rows_of

FILE = "junit.xml"


def write(record: RecordJson, context: dict[str, str]) -> str:
    """One `testsuites` element; points are properties of the cases."""
    root = junit.suites()
    for exercise in rounded(record)["exercises"]:
        exercise_rows = list(rows_of(exercise))
        suite = SubElement(root, "testsuite", name=line(exercise["id"], 200))
        junit.count(suite, [row.status for row in exercise_rows])
        for row, check in zip(exercise_rows, exercise["checks"], strict=True):
            _case(suite, row, float(check.get("seconds") or 0))
    return junit.document(root)


def _case(suite: Element, row: Row, seconds: float) -> None:
    named = {"classname": row.exercise, "name": row.title, "file": f"exercises/{row.exercise}.py", "time": f"{seconds:.3f}"}
    case = SubElement(suite, "testcase", {k: xml(v) for k, v in named.items()})
    junit.properties(case, [("score", number(row.score)), ("points", number(row.worth)), *[("bonus", "true")] * row.bonus])
    first = row.text.splitlines()[0] if row.text else row.status
    junit.ending(case, row.status, row.text, {"message": first, "type": row.status})
