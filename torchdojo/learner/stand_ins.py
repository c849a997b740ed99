"""Items in place of all tests of an exercise that can't be imported, was not begun, or can't be tested here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


class NotWritten(Exception):
    """The exercise has not been started."""


class Unusable(Exception):
    """The exercise file cannot be imported; the message says why."""


class Unwritten(Unusable):
    """The exercise file can't be imported because its code says that it isn't written: it raises NotImplementedError."""


class Broken(pytest.Item):
    """Stands for all tests of an exercise that can't be imported, or wasn't started (problem is None)."""

    def __init__(self, *, problem: str | None, note: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.problem, self.note = problem, note

    def runtest(self) -> None:
        raise Unusable(self.problem) if self.problem is not None else NotWritten(self.note or "nothing is filled in yet")

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"{exercise_of(self.path)}: {self.name.replace('_', ' ')}"

    def dojo_notes(self, report: Any, call: Any) -> None:
        if report.when == "call":
            status = "todo" if self.problem is None else "failed"
            claim = "The file can be imported." if self.problem else "The exercise is begun."
            report.dojo = {"exercise": exercise_of(self.path), "status": status, "claim": claim, "root": str(self.path.parents[2])}
            report.dojo["note"] = self.note


class Skipped(Broken):
    """Stands for all tests of an exercise that can't be tested here. problem: why."""

    def runtest(self) -> None:
        pytest.skip(self.problem or "")

    def dojo_notes(self, report: Any, call: Any) -> None:
        super().dojo_notes(report, call)
        if report.when == "call":
            report.dojo |= {"status": "skipped", "claim": "The exercise can be tested here."}


def exercise_of(test_file: Path) -> str:
    return f"{test_file.parent.name}/{test_file.stem.removeprefix('test_')}"
