"""Run the visible tests of one exercise with pytest in this process, and return the results as plain data."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import pytest

from torchdojo.common.plain_text import clean
from torchdojo.course.states import OVER, state_of
from torchdojo.learner.known import tell
from torchdojo.learner.messages import columns
from torchdojo.learner.verdicts import Answer, RowData
from torchdojo.limits import PRINTED_LENGTH

# the learner's own options are theirs; one file, quietly, in one process
WORDS = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts=", "--color=no"]


class Notes:
    """A pytest plugin that keeps the reports. After an endless loop it asks for no further test: they would all loop."""

    def __init__(self, tell: Callable[[Answer], None]) -> None:
        self.tell = tell
        self.told = False
        self.reports: list[Any] = []
        self.total = self.of = 0  # how many tests are to run, and how many the exercise has
        self.ran: set[str] = set()
        self.trouble: list[str] = []
        self.session: Any = None

    def pytest_collection_finish(self, session: Any) -> None:
        self.session, self.total = session, len(session.items)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.trouble.append(report.longreprtext)

    def pytest_internalerror(self, excrepr: Any) -> None:
        self.trouble.append(str(excrepr))

    def pytest_runtest_logreport(self, report: Any) -> None:
        notes = getattr(report, "dojo", None)
        if notes is None:
            if report.failed:
                self.trouble.append(report.longreprtext)
            return
        self.of = max(self.of, notes.get("of", 1))
        if notes["status"] == "left out":
            return
        self.ran.add(report.nodeid)
        self.reports.append(report)
        if notes.get("endless"):
            self.session.shouldstop = "a test did not end"

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        self.tell_once()

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        """Pictures are drawn after the verdict was sent."""
        if drawn := getattr(config, "dojo_pictures", None):
            self.tell({"picture": "\n".join(map(str, drawn))})

    def tell_once(self) -> None:
        if self.told:
            return
        self.told = True
        statuses = [report.dojo["status"] for report in self.reports]
        if self.session is not None:
            tell(self.reports, self.session.config.rootpath, columns(self.session.config))
        left_out = self.of - len(self.ran)
        if left_out > 0 and state_of(statuses) in OVER and not self.trouble:
            self.trouble.append(f"went wrong   {left_out} of {self.of} tests did not run: a conftest.py or a plugin left them out")
        whole = bool(statuses) and len(statuses) >= self.total and not self.trouble
        self.tell(
            {
                "status": state_of(statuses) if whole else "wrong",
                "passed": statuses.count("passed"),
                "total": max(self.total, self.of, len(statuses)),
                "rows": [row_of(report) for report in self.reports],
                "trouble": [clean(t) for t in self.trouble],
                "own": sum(report.duration for report in self.reports),
            }
        )


def row_of(report: Any) -> RowData:
    """One test as plain data: its name and claim, its outcome and effect (see `known`), its message and output."""
    text = [report.longreprtext] if report.longreprtext else []
    text += [f"--- {title} ---\n{shortened(content)}" for title, content in report.sections if content.strip()]
    notes, name = report.dojo, report.nodeid.rpartition("::")[2]
    return {
        "claim": notes["claim"],
        "status": notes["status"],
        "text": clean("\n".join(text)),
        "seconds": report.duration,
        "test": name,
        "outcome": notes.get("outcome", ""),
        "effect": notes.get("effect", ""),
    }


def shortened(printed: str) -> str:
    """The end of a long output: the last lines are the ones that were being looked at."""
    return printed.rstrip() if len(printed) <= PRINTED_LENGTH else "...\n" + printed[-PRINTED_LENGTH:].rstrip()


def run_tests(root: str, test: str, tell: Callable[[Answer], None], words: list[str] = WORDS) -> None:
    """Run one test file and tell the verdict as soon as the last test has ended:

    {'status': a state of `course.states`, 'passed', 'total', 'rows', 'trouble', 'own': seconds in the tests themselves}.
    A second call tells {'picture': where it is, or why there is none} if the exercise has one.
    """
    os.chdir(root)
    notes = Notes(tell)
    options = os.environ.pop("PYTEST_ADDOPTS", None)  # such as -k
    try:
        # relative to the root: pytest takes no path with a [ in an argument
        pytest.main([*words, os.path.relpath(test, root)], plugins=[notes])
    finally:
        if options is not None:
            os.environ["PYTEST_ADDOPTS"] = options
    notes.tell_once()


def warm_up() -> None:
    """Let pytest import its plugins now, on an empty run, so that no save waits for it."""
    before = sys.path[:]
    with tempfile.TemporaryDirectory() as folder:
        pytest.main([*WORDS, "--rootdir", folder, "--collect-only", folder])
    sys.path[:] = before
