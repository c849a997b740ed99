"""Shared fixtures that are slow to create: one process that forks workers, one toy dojo."""

import os
import sys
from pathlib import Path

import pytest
import torch

from torchdojo import sim
from torchdojo.worker.reproducible import round_alike

sys.path.insert(0, str(Path(__file__).resolve().parent / "helpers"))  # what several test files share
os.environ.pop("PYTEST_ADDOPTS", None)  # has been read; the pytest runs that tests start are to print what they always print
round_alike()
if sim.why_not() is None:
    sim.install()  # must come before the first backward of the process, and the tests of the lessons run many

collect_ignore = ["courses/arrays", "courses/words"]  # sample courses, whose tests and graders are not ours to run
LONG = 5.0  # seconds; a test of the fast ones that takes longer should be marked slow
SECONDS = 240  # for a test of ours on a slow and busy machine; learners' tests have 20
SLOW_FIXTURES = frozenset(("graded", "reports", "done", "told", "slipped", "recorded", "locked", "unlocked"))
"""What takes long to make: attacks on a worker, a graded bank, class or submission, a run of `verify`. A test that asks for one is slow."""

_SHARING = "deliver determinism file_causes hostile lockdown nbgrader points proof submissions verify workflows"
TOGETHER = frozenset(f"test_{name}.py" for name in _SHARING.split())
"""Files whose tests stay in one process where they are spread over several: what they share takes long to make."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """What `-n` asks for, but for those files, and for the messages of a chapter."""
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return with_whom(nodeid)

    return Together(config, log) if config.getvalue("dist") == "load" else None


def with_whom(nodeid):
    """The name of the tests that share a process with this one; the test itself where it may run anywhere."""
    name = nodeid.partition("::")[0].rpartition("/")[2]
    chapter = nodeid.rpartition("[")[2] if name == "test_messages.py" else ""
    return name if name in TOGETHER else f"{name} {chapter}" if chapter else nodeid


@pytest.hookimpl(tryfirst=True)  # before -m is looked at
def pytest_collection_modifyitems(config, items):
    """A time limit for each test; and what stays together first, so that no process has much left when the others are done."""
    for item in items:
        if SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
        if item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(SECONDS))
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: with_whom(item.nodeid) == item.nodeid)


def pytest_terminal_summary(terminalreporter, config):
    """What a reader of the last lines should know."""
    say_what_was_skipped(terminalreporter)
    if config.getoption("markexpr") == "not slow":
        say_what_is_long(terminalreporter)


def say_what_is_long(terminalreporter):
    """Which tests should be marked slow: only said, since a busy machine makes any test long."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) == "call" and report.duration > LONG:
                terminalreporter.write_line(f"{report.duration:.0f} s; should it be marked slow? {report.nodeid}")


def say_what_was_skipped(terminalreporter):
    """The reasons for which tests were skipped, each with its count: nobody should have to wonder what a green run left out."""
    from collections import Counter

    skipped = terminalreporter.stats.get("skipped", ())
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") if isinstance(report.longrepr, tuple) else "xfail" for report in skipped)
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"{count} skipped: {reason}")


DEVICES = [pytest.param("sim", id="sim"), pytest.param("cuda", id="cuda", marks=pytest.mark.cuda)]
SECRET = "a-token-of-the-grader"


@pytest.fixture(scope="session")
def zygote():
    """One warm process for the whole test session, started while the environment holds a secret."""
    if sys.platform != "linux":
        pytest.skip("workers are forked on Linux only")
    from torchdojo.sandbox.linux import Zygote

    os.environ["TORCHDOJO_TEST_SECRET"] = SECRET
    found = Zygote(fresh=True)
    yield found
    found.close()


@pytest.fixture(scope="session")
def dojo(tmp_path_factory):
    """The toy dojo, as the engine sees it. Nobody writes to it."""
    from tiny_dojo import make_dojo

    from torchdojo.course.exercise import Dojo

    return Dojo(make_dojo(tmp_path_factory.mktemp("dojo")))


@pytest.fixture(params=DEVICES)
def device(request):
    """An accelerator: the simulated one, and a CUDA device where there is one. What a test claims holds for both."""
    if request.param == "cuda":
        if not torch.cuda.is_available():
            pytest.skip("there is no CUDA device here")
        yield torch.device("cuda")
        return
    if (problem := sim.why_not()) is not None:
        pytest.skip(problem)
    from torchdojo.sim import accelerator

    with accelerator.shown() as found:
        yield found
