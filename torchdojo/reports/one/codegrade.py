"""CodeGrade's Unit Test step: JUnit XML, one suite per exercise.

The step's score is the share of the test cases that pass, and it reads no properties. So a check worth two points is two cases, as
for GitHub Classroom. It has no extra credit: bonus exercises are left out.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any
from xml.etree.ElementTree import SubElement

from torchdojo.common.plain_text import xml
from torchdojo.judge.record import RecordJson
from torchdojo.reports import junit
from torchdojo.reports.one.classroom import unit_of
from torchdojo.reports.rows import Row, line, rows, rows_of, ungraded

FILE = "junit.xml"
MOST = 400  # cases


def write(record: RecordJson, context: dict[str, str]) -> str:
    """One `testsuites` element. If nothing could be graded, its one case is an error."""
    counted = [row for row in rows(record) if row.counts and not row.bonus]
    worth = sum((row.worth for row in counted), Fraction(0))
    unit = max(unit_of(counted), worth / MOST)
    root = junit.suites()
    for exercise in record["exercises"]:
        counting = [row for row in rows_of(exercise) if row.counts and not row.bonus]
        if counting:
            suite = SubElement(root, "testsuite", name=line(exercise["id"], 200))
            junit.count(suite, [status for row in counting for status in _cases(suite, row, unit)])
    if not counted:
        suite = SubElement(root, "testsuite", name="torchdojo")
        case = SubElement(suite, "testcase", classname="torchdojo", name="Grading")
        junit.count(suite, ["error"])
        junit.ending(case, "error", ungraded(list(rows(record))), {"message": "not graded", "type": "error"})
    return junit.document(root)


def _cases(suite: Any, row: Row, unit: Fraction) -> list[str]:
    """Add the cases of a check: its worth in units, at least one; of these pass as many as it has points. Their statuses."""
    many = max(1, round(row.worth / unit))
    passing = many if row.passed else min(int(row.score / row.worth * many), many - 1)
    statuses = ["passed" if i < passing else row.status for i in range(many)]
    for i, status in enumerate(statuses, 1):
        name = f"{row.title} ({i} of {many})" if many > 1 else row.title
        case = SubElement(suite, "testcase", classname=xml(row.exercise), name=xml(name))
        text = row.text if i == passing + 1 else ""
        junit.ending(case, status, text, {"message": text.splitlines()[0] if text else status, "type": status})
    return statuses
