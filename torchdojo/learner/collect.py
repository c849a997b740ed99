"""Collect visible tests so that a broken exercise file fails only its own exercise, and the error is explained in one sentence.

The exercise is imported first, from the learner's folder, under its plain name; the test file then finds it with
`from ex05_jacobian import jacobian`. Otherwise tests are ordinary pytest functions: prints, breakpoints, -k, -x, --pdb.
"""

from __future__ import annotations

import inspect
import linecache
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from torchdojo import sim
from torchdojo.common.plain_text import clean
from torchdojo.course import given
from torchdojo.course.exercise import EXERCISE_FILE, Exercise, imported_names
from torchdojo.course.stubs import FORGOTTEN, pristine, untouched
from torchdojo.explain.labels import lay_out, row
from torchdojo.explain.layout import unreadable
from torchdojo.learner.import_limit import TooSlow, time_limit
from torchdojo.learner.known import effect, outcome
from torchdojo.learner.messages import failed_test
from torchdojo.learner.no_exit import exit_raises
from torchdojo.learner.process_end import at_work
from torchdojo.learner.scene import Scene
from torchdojo.learner.settings import NAMED, Settings
from torchdojo.learner.skipped_tests import skipped_by_others, tests_of
from torchdojo.learner.stand_ins import Broken, Skipped, Unusable, Unwritten, exercise_of
from torchdojo.learner.summary import did_not_end
from torchdojo.wire.outcome import Raised
from torchdojo.worker.raised import describe_error
from torchdojo.worker.serve import import_file, unanswered

if TYPE_CHECKING:
    from torchdojo.learner.submission import HandedIn

SHORT_SECONDS, IMPORT_SECONDS = 5, 15
shared_names: dict[str, Any] = {}  # what the other cells of a notebook define; an exercise file stands alone


class ExerciseModule(pytest.Module):
    """A visible test file."""

    handed_in: HandedIn | None = None  # what --submission names
    worth_a_picture = False  # has a test passed?
    total = 1  # how many tests there are, whichever of them were asked for
    causes: dict[str, tuple[str, str]]  # the likely causes that were shown, with the test's id and claim
    scene: Any = None
    changed: tuple[str, ...] = ()  # the settings that the exercise's file changes while it is imported, which are put back
    settings: Callable[[], None] | None = None  # makes those that stay for this exercise alone

    def exercise_file(self) -> Path:
        """The learner's file that these tests judge."""
        name = f"{self.path.stem.removeprefix('test_')}.py"
        if self.handed_in is None:
            return self.path.with_name(name)
        return self.handed_in.submission.staged() / self.path.parent.name / name

    @property
    def is_stub(self) -> bool:
        """Is the file that these tests judge still as it was handed out?"""
        file = self.exercise_file()
        return untouched(Exercise(self.path.parents[2], exercise_of(self.path)), file)

    def collect(self) -> Any:
        self.causes = {}
        exercise = exercise_of(self.path)
        if self.config.getoption("--submission") is not None:
            from torchdojo.learner.submission import received  # late: a learner's own run needs nothing of it

            self.handed_in = received(self.config, self.path.parents[2])
        handed_in = self.handed_in
        if handed_in is not None and not handed_in.asks(self.config, self.path, exercise):
            return []
        if handed_in is not None and exercise not in handed_in.submission.files:
            problem = handed_in.submission.refused.get(exercise, f"{self.path.stem.removeprefix('test_')}.py was not handed in")
            return [Broken.from_parent(self, name="can_be_imported", problem=row("went wrong", problem))]
        file = self.exercise_file()
        make_device_known(file, self.path)
        at_work(self.config, self.path)
        self.scene = Scene(file.parent, *[self.path.parent] * (handed_in is None))  # no file of ours in place of theirs
        with self.scene.on(), exit_raises():
            before = Settings()
            try:
                return self._collected(file, before)
            finally:
                before.put_back()

    def _collected(self, file: Path, before: Settings) -> list[Any]:
        """The tests of a file that is imported now. before: the settings before that."""
        try:
            module = import_exercise(file)
        except Unwritten as note:
            return [Broken.from_parent(self, name="is_begun", problem=None, note=str(note))]
        except Unusable as problem:
            return [Broken.from_parent(self, name="can_be_imported", problem=str(problem))]
        finally:
            self.settings = before.own()
            self.changed = tuple(name for name in before.put_back() if name not in NAMED)
        self.settings()
        if unanswered(module):
            return [Broken.from_parent(self, name="is_begun", problem=None, note=_forgotten(file, self.path, module))]
        option = self.config.option
        mode, option.importmode = option.importmode, option.importmode.replace("prepend", "append")  # no helper hides a real module
        places = sys.path[:]
        try:
            items = [_as_exercise_test(item) for item in super().collect()]
        except pytest.skip.Exception as skip:  # the whole test file asks for something that is not installed
            if self.is_stub:
                return [Broken.from_parent(self, name="is_begun", problem=None)]
            return [Skipped.from_parent(self, name="can_be_tested", problem=str(skip))]
        except self.CollectError:
            return [Broken.from_parent(self, name="can_be_imported", problem=_missing_names(self.path, file, module))]
        finally:
            option.importmode = mode
            sys.path[:] = places
        self.total = tests_of(self.path, [item.originalname for item in items if isinstance(item, ExerciseTest)])
        return items


def make_device_known(*files: Path) -> None:
    """Let exercises that use PyTorch name the device "sim". It has to be there before any of them runs a backward."""
    if any(b"torch" in _content(file) for file in files) and sim.why_not() is None:
        sim.install()


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:  # the import reports what is wrong with it
        return b""


def _as_exercise_test(item: Any) -> Any:
    if isinstance(item, pytest.Function):
        item.__class__ = type("ExerciseTest", (ExerciseTest, item.__class__), {})
    return item


class ExerciseTest(pytest.Function):
    """One visible test: an ordinary function item that words its failures for learners."""

    left: tuple[str, ...] = ()  # the settings that were left changed by it
    compared: tuple[Any, ...] = ()  # (operator, left, right) of the last comparison in it that failed

    def runtest(self) -> None:
        """Run it, then restore the settings that it changed, so that the next test starts like this one."""
        with exit_raises():
            self._run()

    def _run(self) -> None:
        before = Settings()
        if own := getattr(self.parent, "settings", None):
            own()
        begun = Settings()
        compared: list[Any] = []
        self.config.dojo_compared = compared  # type: ignore[attr-defined]
        try:
            super().runtest()
        finally:
            del self.config.dojo_compared  # type: ignore[attr-defined]
            self.compared = tuple(compared)
            self.left = tuple(begun.put_back())
            before.put_back()

    @property
    def claim(self) -> str:
        """The first line of the test's docstring."""
        return (inspect.getdoc(self.function) or self.name.removeprefix("test_").replace("_", " ")).splitlines()[0]

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """Feedback in place of a traceback, unless another --tb was asked for."""
        if self.config.option.tbstyle != "auto" or self.config.option.fulltrace:
            return super().repr_failure(excinfo)
        return failed_test(self, excinfo.value)

    def dojo_notes(self, report: Any, call: Any) -> None:
        """Mark the report: which exercise, done or to do or wrong."""
        if report.when != "call" and report.outcome == "passed":
            return
        todo = report.outcome == "failed" and _is_todo(call.excinfo.value, self.path)
        left_out = skipped_by_others(self, report, call.excinfo)
        is_stub = isinstance(self.parent, ExerciseModule) and self.parent.is_stub
        if report.outcome == "skipped" and not left_out and is_stub:  # an unwritten function can't be tested anywhere
            report.outcome, todo = "failed", True
            call.excinfo.value.msg = "nothing is filled in yet"
        if report.outcome == "passed" and isinstance(self.parent, ExerciseModule):
            self.parent.worth_a_picture = True
        status = "todo" if todo else "left out" if left_out else report.outcome
        report.dojo = {"exercise": exercise_of(self.path), "status": status, "claim": self.claim}
        report.dojo["root"] = str(self.path.parents[2])
        report.dojo["of"] = getattr(self.parent, "total", 1)
        if status == "failed":
            report.dojo["outcome"] = outcome(report.dojo["exercise"], self.name, call.excinfo.value, self.path)
            report.dojo["effect"] = effect(call.excinfo.value)
        if todo:
            report.longrepr = f"to do: {getattr(call.excinfo.value, 'msg', call.excinfo.value)}"
        elif report.outcome == "failed" and did_not_end(call.excinfo.value):
            report.dojo["endless"] = True
            self._hurry_the_others()

    def _hurry_the_others(self) -> None:
        """After one test has looped forever, give the other tests less time, unless --timeout sets the limit."""
        limit = float(self.config.getini("timeout") or 0)
        if self.config.getoption("timeout", None) is None and limit > SHORT_SECONDS:
            for other in self.session.items:
                if other.parent is self.parent and other.get_closest_marker("timeout") is None:
                    other.add_marker(pytest.mark.timeout(SHORT_SECONDS))


def _is_todo(error: BaseException, test_file: Path) -> bool:
    """Do the learner's own files raise NotImplementedError in a `raise` statement (and not PyTorch, called there, or the test)?"""
    if not isinstance(error, NotImplementedError):
        return False
    trace, last = error.__traceback__, None
    while trace is not None:
        last, trace = trace, trace.tb_next
    if last is None:
        return False
    file = last.tb_frame.f_code.co_filename
    own = Path(file).stem == test_file.stem.removeprefix("test_") or EXERCISE_FILE.fullmatch(Path(file).name) is not None
    return own and linecache.getline(file, last.tb_lineno).strip().startswith("raise")


def note_the_dead(report: Any, test_file: Path) -> None:
    """Mark the report that pytest-xdist makes for a process that ended in the middle of a test."""
    exercise, root = exercise_of(test_file), str(test_file.absolute().parents[2])
    report.dojo = {"exercise": exercise, "status": "failed", "claim": "The test ends.", "root": root}
    cause = f"The code in {exercise_of(test_file)}.py ended or crashed the whole process: os._exit, or an invalid memory access."
    report.longrepr = "\n".join([row("went wrong", "the process that ran this test died"), row("likely cause", cause)])


# ------------------------------------------------------------------ importing a learner's file
def import_exercise(file: Path) -> Any:
    """Import a learner's file under its plain name. Raises Unusable with a message for the learner."""
    if not file.exists():
        way_out = _moved_away(file) or f"`torchdojo reset {file.stem}` brings the stub back."
        raise Unusable(row("went wrong", f"{file.name} is not there; {way_out}"))
    given.reachable(file.parent)
    try:
        with time_limit(IMPORT_SECONDS, file.name):
            return import_file(file.stem, str(file), shared_names)
    except KeyboardInterrupt:
        raise
    except TooSlow as error:
        raise Unusable(row("went wrong", str(error))) from None
    except BaseException as error:
        sys.modules.pop(file.stem, None)
        raised = Raised.of(describe_error(error, str(file))).with_texts(clean)
        if raised.todo:
            raise Unwritten(raised.text) from None
        raise Unusable(lay_out(unreadable(raised, file.name))) from None


def _moved_away(file: Path) -> str:
    """How to move back an exercise that is in the wrong folder of the dojo; '' if it is in none."""
    exercises = file.parent.parent
    places = [exercises.parent / file.name, exercises / file.name, *sorted(exercises.glob(f"*/{file.name}"))]
    place_now = next((place.relative_to(exercises.parent).as_posix() for place in places if place.is_file()), "")
    return f"move {place_now} back to {exercises.name}/{file.parent.name}/." if place_now else ""


def _forgotten(file: Path, test_file: Path, module: Any) -> str:
    """A hint for learners who repaired the code but left REPAIRED at False; '' for all others."""
    exercise = Exercise(test_file.parents[2], exercise_of(test_file))
    begun = file == exercise.stub and pristine(exercise) is not None and not untouched(exercise)
    return FORGOTTEN if begun and getattr(module, "REPAIRED", True) is False else ""


def _missing_names(test_file: Path, file: Path, module: Any) -> str:
    """Which names the tests import that the learner's file does not define."""
    missing = [n for n in imported_names(test_file.read_text(encoding="utf-8"), file.stem) if not hasattr(module, n)]
    if not missing:
        return row("went wrong", f"the tests of {file.name} cannot be imported; run with --tb=long to see why")
    names = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
    exactly = "this name" if len(missing) == 1 else "these names"
    cause = row("likely cause", f"Define {names} in the file, with exactly {exactly}.")
    return f"{row('went wrong', f'{file.name} defines no {names}')}\n{cause}"
