"""`pytest exercises --record FILE`: the results of the visible tests as a record, for the formats of docs/formats.md.

The tests run in the learner's own process, so this record is feedback and not a grade: code in that process can write any
record.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from torchdojo.common.errors import UsageError
from torchdojo.common.files import write_file
from torchdojo.course.exercise import imported_names, in_order
from torchdojo.judge.record import CheckRecord, ExerciseRecord, Record, RecordJson


class Recorder:
    """A pytest plugin: notes the line in the learner's file that a failure is about, and writes the record at the end."""

    def __init__(self, file: Path) -> None:
        self.file = file

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
        report = yield
        facts = getattr(report, "dojo", None)
        if facts and facts["status"] == "failed" and call.excinfo is not None:
            facts["line"] = line_of(call.excinfo.value, item.path)
        return report

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        reports = [r for of_outcome in terminalreporter.stats.values() for r in of_outcome if getattr(r, "dojo", None)]
        text = json.dumps(record_of(reports), ensure_ascii=True)
        try:
            write_file(self.file, text + "\n")
        except UsageError as error:
            pytest.exit(str(error), returncode=2)


def record_of(reports: list[Any]) -> RecordJson:
    """The reports as a record: a check for each test, worth one point; `line` where one is known."""
    record, lines = Record("exercises", ["cpu"]), {}
    for report in sorted(reports, key=lambda r: in_order(r.dojo["exercise"])):
        facts = report.dojo
        if not record.exercises or record.exercises[-1].id != facts["exercise"]:
            record.exercises.append(ExerciseRecord(facts["exercise"]))
        if facts["status"] == "left out":
            continue
        passed = facts["status"] == "passed"
        name = report.nodeid.rpartition("::")[2]
        status = facts["status"] if facts["status"] in ("passed", "todo") else "failed"
        text = "" if passed else str(report.longrepr)
        check = CheckRecord(name, facts["claim"], status, float(passed), 1.0, text, seconds=round(report.duration, 4))
        record.exercises[-1].checks.append(check)
        lines[facts["exercise"], len(record.exercises[-1].checks)] = facts.get("line", 1)
    for exercise in record.exercises:
        of = max(r.dojo.get("of", 1) for r in reports if r.dojo["exercise"] == exercise.id)
        if left := of - len({check.name for check in exercise.checks}):
            text = f"went wrong   {left} of {of} tests did not run; run pytest without -k, -x and the like"
            exercise.checks.append(CheckRecord("all_tests_ran", "All tests ran.", "failed", 0.0, float(left), text))
            lines[exercise.id, len(exercise.checks)] = 1
    data = record.to_json()
    for e in data["exercises"]:
        e["star"] = None  # visible tests ask for the task alone
        for i, test in enumerate(e["checks"], 1):
            test["line"] = lines[e["id"], i]
    return data


def line_of(error: BaseException, test: Path) -> int:
    """The line of the exercise file: where the error was raised, else where what the test imports is defined, else the first."""
    stem = test.stem.removeprefix("test_")
    line, trace = 0, error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).stem == stem:
            line = trace.tb_lineno
        trace = trace.tb_next
    cause = error.__context__
    if not line and isinstance(cause, SyntaxError) and Path(cause.filename or "").stem == stem:
        line = cause.lineno or 0
    return line or _defined(test.with_name(f"{stem}.py"), test, stem) or 1


def _defined(exercise: Path, test: Path, stem: str) -> int:
    try:
        wanted = imported_names(test.read_text(encoding="utf-8"), stem)
        source = ast.parse(exercise.read_text(encoding="utf-8"))
    except SyntaxError as error:
        return error.lineno or 1
    except (OSError, ValueError):
        return 1
    lines = (n.lineno for n in source.body if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name in wanted)
    return next(lines, 1)
