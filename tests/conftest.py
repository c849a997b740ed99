"""Shared fixtures that are slow to create: one process that forks workers, one toy dojo."""

import compileall
import os
import sys
from pathlib import Path

import pytest
import torch

from torchdojo import sim
from torchdojo.worker.reproducible import round_alike
from torchdojo.worker.warm import exact_floats


def compile_once():
    """Compile our package and hypothesis once. Programs started by tests may not write bytecode, and would compile them each time.

    pytest rewrites hypothesis, and imports it whenever it ends."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        for package in Path(__file__).parents[1].glob("torchdojo/**/__init__.py"):
            compileall.compile_dir(package.parent, maxlevels=0, quiet=2)
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    import hypothesis  # noqa: F401

    sys.dont_write_bytecode = before


sys.path.insert(0, str(Path(__file__).resolve().parent / "helpers"))  # what several test files share
import rotation  # noqa: E402

compile_once()
sys.modules["rfc3987_syntax"] = None  # takes 8 seconds to import, to check web addresses for nbformat; notebooks of ours have none
os.environ.pop("PYTEST_ADDOPTS", None)  # has been read; the pytest runs that tests start are to print what they always print
round_alike()
collect_ignore = ["courses/arrays", "courses/images", "courses/words"]  # sample courses, whose tests and graders are not ours to run
TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
LONG = 5.0  # seconds; a test of the fast ones that takes longer should be marked slow
SECONDS = 240  # for a test of ours on a slow and busy machine; learners' tests have 20
SLOW_FIXTURES = frozenset(("graded", "reports", "done", "told", "slipped", "recorded", "locked", "unlocked", "sick"))
"""What takes long to make: attacks on a worker, a graded bank, class or submission, a run of `verify`. A test that asks for one is slow."""

_LONGEST = (
    "nbgrader site own_course submissions hostile proposed_commands reference cluster first_minutes explanations messages regrade states"
    " release removal idiomatic mistakes instruments new_exercise instructors device_bank sim_opinfo notebook doors prices packaging verify"
    " course watch benchmarks bank cli classroom learner nonsense many one garbage house content"
)
LONGEST = {f"test_{name}.py": place for place, name in enumerate(_LONGEST.split())}
"""The files that take longest, longest first: they are started first, so that no process has much left when the others are done."""


def pytest_configure(config):
    """Install the simulated device before the first backward of the process: tests of the lessons run many. It hides CUDA.

    If you name tests, all of them run; a run of the whole folder includes only some of the slow ones."""
    if "PYTEST_XDIST_WORKER" not in os.environ and not takes_turns(config):
        os.environ.setdefault("TORCHDOJO_TESTS", "all")
    if config.option.markexpr != "cuda" and sim.why_not() is None:
        sim.install()


def takes_turns(config):
    """Was this folder named, or one above it, and not a part of it?"""
    return not config.option.keyword and any(Path(config.invocation_params.dir, name).resolve() in (TESTS, ROOT) for name in config.args)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """What `-n` asks for, but the tests of a file stay together: what they share is made once."""
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return with_whom(nodeid)

    config.option.loadscopereorder = False  # which would put the files with most tests first
    return Together(config, log) if config.getvalue("dist") == "load" else None


def with_whom(nodeid):
    """The name of the tests that share a process with this one: those of its file, or its chapter if it is about messages."""
    file = nodeid.partition("::")[0]
    return f"{file} {nodeid.rpartition('[')[2]}" if file.endswith("test_messages.py") else file


@pytest.hookimpl(tryfirst=True)  # before -m is looked at
def pytest_collection_modifyitems(config, items):
    """A time limit for each test, and a part of the slow ones; where they are spread over processes, the longest files first."""
    for item in items:
        if SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ())) and item.get_closest_marker("slow") is None:
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.every_run)
        if item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(SECONDS))
    if waiting := rotation.waiting(items):
        items[:] = [item for item in items if item not in waiting]
        config.hook.pytest_deselected(items=list(waiting))
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: LONGEST.get(item.path.name, len(LONGEST)))


def pytest_terminal_summary(terminalreporter, config):
    """What a reader of the last lines should know."""
    say_what_was_skipped(terminalreporter)
    if os.environ.get("TORCHDOJO_TESTS") != "all":
        terminalreporter.write_line(f"Slow tests took turns: part {rotation.turn() % rotation.RUNS + 1} of {rotation.RUNS}. TORCHDOJO_TESTS=all runs all of them.")
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
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ") if isinstance(report.longrepr, tuple) else "xfail" for report in skipped
    )
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
    found = Zygote(["sim", "grad", "optim"], fresh=True)  # what is not ready each worker would import for itself
    yield found
    found.close()


@pytest.fixture
def forked(monkeypatch):
    """The Python processes that the engine starts from here are forked from one that has imported PyTorch."""
    import warm

    monkeypatch.setattr(sys, "executable", warm.executable())


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
        if not torch.cuda.is_available():  # or hidden, because the simulated device is installed: see pytest_configure
            pytest.skip("there is no CUDA device here, or CUDA is not tested alone (pytest tests -m cuda)")
        exact_floats()
        yield torch.device("cuda")
        return
    if (problem := sim.why_not()) is not None:
        pytest.skip(problem)
    from torchdojo.sim import accelerator

    with accelerator.shown() as found:
        yield found
