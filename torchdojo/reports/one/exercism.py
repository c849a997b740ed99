"""Exercism's results.json, version 3 of the test runners' interface."""

from __future__ import annotations

import json

from torchdojo.common.plain_text import clean
from torchdojo.judge.record import RecordJson
from torchdojo.reports.rows import Row, cut, rows, ungraded

FILE = "results.json"
MOST = 500  # characters of what a program printed


def write(record: RecordJson, context: dict[str, str]) -> str:
    """pass when every check passed, fail when one did not, error when what broke is not the learner's."""
    all_rows = [row for row in rows(record) if row.status != "skipped"]
    printed = [check.get("printed", "") for e in record["exercises"] for check in e["checks"] if check["status"] != "skipped"]
    ours = not all_rows or any(row.ours for row in all_rows)
    status = "error" if ours else "pass" if all(row.passed for row in all_rows) else "fail"
    tasks = {e: i for i, e in enumerate(dict.fromkeys(row.exercise for row in all_rows), 1)}
    tests = [_test(row, tasks[row.exercise], out) for row, out in zip(all_rows, printed, strict=True)]
    message = ungraded([row for row in all_rows if row.ours]) if ours else None
    return json.dumps({"version": 3, "status": status, "message": message, "tests": tests}, indent=1) + "\n"


def _test(row: Row, task: int, printed: str) -> dict[str, str | int | None]:
    return {
        "name": row.name,
        "status": "pass" if row.passed else "error" if row.status in ("error", "crashed", "timeout") else "fail",
        "task_id": task,
        "message": None if row.passed else cut(row.text or row.title, 5000),
        "output": cut(clean(printed), MOST) or None,
        "test_code": row.title,
    }
