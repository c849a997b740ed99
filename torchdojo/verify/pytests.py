"""Test the visible tests with pytest itself: to do on the stubs, passed on the references."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict

from torchdojo.course.exercise import Exercise
from torchdojo.verify.findings import Report
from torchdojo.verify.visible import PytestRun, Visible


class PytestRuns(TypedDict):
    """What pytest reports of the stubs and of the references; None where it did not end."""

    stub: PytestRun | None
    reference: PytestRun | None


def run(visible: Visible, root: Path, exercises: list[Exercise]) -> PytestRuns:
    """What pytest says of all visible tests, on the stubs and on the references."""
    tests = [str(e.test.relative_to(root)) for e in exercises if e.test.exists() and e.stub.exists()]
    ask = {"root": str(root), "tests": tests}
    return {
        "stub": visible.ask("pytest", submission=None, **ask),
        "reference": visible.ask("pytest", submission=str(root / "reference"), **ask),
    }


def judge(reports: list[Report], answers: PytestRuns) -> None:
    """Add findings about the visible tests to each report."""
    for target, wanted, answer in (("stub", "todo", answers["stub"]), ("reference", "passed", answers["reference"])):
        answer = answer or {"tests": [], "output": "pytest did not end within its time."}
        statuses: dict[str, list[tuple[str, str]]] = {}
        for exercise, test, status in answer["tests"]:
            statuses.setdefault(exercise, []).append((test, status))
        for report in reports:
            if target == "reference" and report.level == "quick":
                continue
            _judge(report, target, wanted, statuses.get(report.id), answer["output"])


def _judge(report: Report, target: str, wanted: str, statuses: list[tuple[str, str]] | None, output: str) -> None:
    file = f"test_{report.id.split('/')[1]}.py"
    if statuses is None:
        report.stub_todo = report.stub_todo and target != "stub"
        if file not in report.missing:
            report.find(target, f"{file}: pytest runs no test of it on the {target}. Write two to five.", output[-1500:])
        return
    for test, status in statuses:
        if status in (wanted, "skipped"):
            continue
        if target == "stub":
            report.stub_todo = False
            sentence = f"{file}: {test} reports the stub as {status}, not as 'to do'. Let it call what the learner writes."
        else:
            sentence = f"{file}: {test} reports the reference as {status}. Correct the test or the reference."
        report.find(target, sentence)
