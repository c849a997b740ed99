"""The pytest plugin: visible tests for learners, hidden checks for graders.

Loaded by pytest in every project, so it imports nothing until a file under exercises/ or graders/ of a dojo is collected.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from torchdojo.common.names import STEM

if TYPE_CHECKING:
    from torchdojo.learner.collect import ExerciseModule

_EXERCISE = re.compile(rf"test_({STEM})\.py")
_NAMED = re.compile(rf"({STEM}\.py)(::.*)?")
_CHAPTER = re.compile(r"/exercises/\d\d_[a-z0-9_]+$")
_GRADER = re.compile(rf"grade_({STEM})\.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("torchdojo")
    group.addoption(
        "--submission", metavar="PATH", help="judge the exercise files of this folder (or this file) instead of exercises/"
    )
    group.addoption("--record", metavar="FILE", help="write what the visible tests found to this file, for torchdojo result")
    group.addoption(
        "--require-isolation", action="store_true", help="refuse to grade when a facility that locks workers is missing"
    )
    group.addoption("--reveal", metavar="LEVEL", help="how much of a hidden check to show: none, title, gap or full (default: gap)")
    group.addoption("--torchdojo-check", metavar="FILE", help="check the code that [tool.torchdojo.check] in this TOML file lists")
    group.addoption("--dojo-seed", type=int, default=0, metavar="N", help="which hidden inputs the graders draw")
    group.addoption(
        "--device",
        metavar="NAMES",
        help="devices, such as cpu,sim or cpu,cuda (default: cuda if available, else sim)",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """`python -m pytest` in a chapter puts that folder first on `sys.path`: a torch.py of the learner's would hide PyTorch."""
    first = [place for place in sys.path if _CHAPTER.search(Path(place).absolute().as_posix())]
    sys.path[:] = [place for place in sys.path if place not in first] + first


def pytest_configure(config: pytest.Config) -> None:
    if any(config.getoption(option) is not None for option in ("--device", "--submission", "--reveal")):
        _check_options(config)
    config.args = [_test_of(argument) for argument in config.args]
    if (listing := _listing(config)) is not None and str(listing) not in config.args:
        config.args.append(str(listing))
    if config.getoption("maxfail"):
        config.pluginmanager.register(StopsAtFailures(config), "torchdojo-maxfail")
    file = config.getoption("--record")
    if file is not None:
        from torchdojo.learner.recorder import Recorder

        config.pluginmanager.register(Recorder(config.invocation_params.dir / file), "torchdojo-recorder")


def _check_options(config: pytest.Config) -> None:
    """Say what is wrong with them once, before every grader file would say it."""
    from torchdojo.common.errors import UsageError

    device, submission, reveal = (config.getoption(f"--{name}") for name in ("device", "submission", "reveal"))
    try:
        if device is not None:
            from torchdojo.sandbox.devices import asked_for, at_hand

            at_hand(asked_for(device))
        if reveal is not None:
            from torchdojo.explain.reveal import level_for

            level_for(config.rootpath, reveal)
        if submission is not None:
            from torchdojo.learner.submission import received_early

            received_early(config)
    except UsageError as error:
        pytest.exit(str(error), returncode=2)


def _listing(config: pytest.Config) -> Path | None:
    """The file that lists code to check."""
    file = config.getoption("--torchdojo-check")
    return (config.invocation_params.dir / file).resolve() if file is not None else None


def _is_todo(report: Any) -> bool:
    return getattr(report, "dojo", {}).get("status") == "todo"


def _test_of(argument: str) -> str:
    """`pytest exercises/03_autograd/ex05_jacobian.py` means the tests of that file."""
    path = Path(argument)
    named = _NAMED.fullmatch(path.name)
    test = path.with_name(f"test_{named[1]}") if named else path
    return f"{test}{named[2] or ''}" if named and test.is_file() and test.absolute().parent.parent.name == "exercises" else argument


class StopsAtFailures:
    """-x and --maxfail stop at wrong answers; what is still to do is no reason to stop."""

    def __init__(self, config: pytest.Config) -> None:
        self.config, self.todo = config, 0

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> Any:
        session: Any = self.config.pluginmanager.get_plugin("session")
        self.todo += _is_todo(report)
        session.testsfailed -= self.todo
        try:
            return (yield)
        finally:
            session.testsfailed += self.todo


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A process of -n that died sends no notes: its exercise is named all the same."""
    test = Path(report.nodeid.split("::")[0])
    if str(report.when) == "???" and _EXERCISE.fullmatch(test.name) and test.parent.parent.name == "exercises":
        from torchdojo.learner.collect import note_the_dead  # imports PyTorch

        note_the_dead(report, test)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """--stepwise stops at wrong answers; what is still to do is no reason to stop."""
    plugins = session.config.pluginmanager
    if plugins.has_plugin("stepwiseplugin"):
        stepwise: Any = plugins.unregister(name="stepwiseplugin")
        judged = stepwise.pytest_runtest_logreport
        stepwise.pytest_runtest_logreport = lambda report: None if _is_todo(report) else judged(report)
        plugins.register(stepwise, "stepwiseplugin")


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> ExerciseModule | None:
    """A visible test file: its exercise is imported with care, so that a broken file costs one exercise only."""
    if not _EXERCISE.fullmatch(module_path.name) or module_path.parent.parent.name != "exercises":
        return None
    from torchdojo.learner.process_end import watched

    watched(parent.config)
    from torchdojo.learner.collect import ExerciseModule  # imports PyTorch
    from torchdojo.worker.reproducible import round_alike

    round_alike()
    module: ExerciseModule = ExerciseModule.from_parent(parent, path=module_path)
    return module


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Any:
    """A hidden grader: every check is an item. A list of code to check: each line is one."""
    if file_path == _listing(parent.config):
        from torchdojo.commands.pytest_check import CheckFile

        return CheckFile.from_parent(parent, path=file_path)
    if not _GRADER.fullmatch(file_path.name) or file_path.parent.parent.name != "graders":
        return None
    from torchdojo.commands.pytest_graders import GraderFile

    return GraderFile.from_parent(parent, path=file_path)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    """Make a test find the modules of its own chapter, including its fixtures, and draw the same random numbers in each run."""
    scene = getattr(item.getparent(pytest.Module), "scene", None)
    if scene is None:
        return (yield)
    from torchdojo.learner.process_end import at_work
    from torchdojo.learner.scene import seed_generators

    at_work(item.config, item.path)
    seed_generators()
    with scene.on():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    report = yield
    notes = getattr(item, "dojo_notes", None)
    if notes is not None:
        notes(report, call)
        if _is_todo(report):
            call.excinfo = None  # --pdb and an editor's debugger stop at what was raised: not at a stub
    return report


def pytest_assertrepr_compare(config: pytest.Config, op: str, left: object, right: object) -> None:
    """Keep what a visible test compared, for its message."""
    compared = getattr(config, "dojo_compared", None)
    if compared is not None:
        compared[:] = op, left, right


def pytest_report_teststatus(report: Any, config: pytest.Config) -> Any:
    """To do is a separate state: no letter in the progress line, no traceback, but not a pass."""
    if _is_todo(report):
        return "todo", "-", ("TO DO", {"yellow": True})
    return None


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: pytest.Config) -> None:
    reports = [r for of_outcome in terminalreporter.stats.values() for r in of_outcome if getattr(r, "dojo", None)]
    if reports:
        from torchdojo.learner.summary import write

        if config.getoption("--submission") is not None:
            from torchdojo.learner.submission import notes

            for note in notes(config):
                terminalreporter.write_line(note)
        write(terminalreporter, reports, own=config.getoption("--submission") is None)
        config.option.force_short_summary = True  # in CI pytest would print every message a second time
        for drawn in getattr(config, "dojo_pictures", ()):
            terminalreporter.write_line(str(drawn))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Known mistakes are named. Pictures of the learner's own work are drawn; not of a submission's or a reference's."""
    terminal: Any = session.config.pluginmanager.get_plugin("terminalreporter")
    reports = [r for of_outcome in terminal.stats.values() for r in of_outcome if getattr(r, "dojo", None)] if terminal else []
    if any(report.dojo.get("outcome") for report in reports):
        from torchdojo.learner.known import tell  # imports PyTorch
        from torchdojo.learner.messages import columns

        tell(reports, session.config.rootpath, columns(session.config))
    items = [item for item in session.items if hasattr(item, "dojo_notes")] if hasattr(session, "items") else []
    if items and session.config.getoption("--submission") is None and not session.config.option.collectonly:
        from torchdojo.learner.pictures import draw_after

        session.config.dojo_pictures = draw_after(items, session.config.rootpath)  # type: ignore[attr-defined]


def pytest_unconfigure(config: pytest.Config) -> None:
    close = getattr(config, "dojo_close", None)
    if close is not None:
        close()
    if config.getoption("--submission", None) is not None:
        from torchdojo.common import temporary

        temporary.remove()
