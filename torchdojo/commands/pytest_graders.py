"""Hidden graders as pytest items: `pytest graders --submission PATH`. Every check is an item with points.

The verdicts are the same as those of `torchdojo grade`: learner code runs in workers, never in the pytest process.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from torchdojo.common import temporary
from torchdojo.common.errors import UsageError
from torchdojo.course.adopted import refuse_adopted
from torchdojo.course.answers import refuse_to_grade_others
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.explain.reveal import level_for, redacted
from torchdojo.judge.record import CheckRecord, counted, number
from torchdojo.learner.submission import handed_in
from torchdojo.sandbox.devices import asked_for, at_hand, gpu_among, left_out
from torchdojo.submission.one import receive_one


class CheckFailed(Exception):
    """A check that was not passed; the message is the learner's feedback."""


class Run:
    """What all grader files of one pytest process share: a zygote, the oracle, the session of the submission.

    Raises UsageError for a submission that cannot be read.
    """

    def __init__(self, root: Path, config: pytest.Config) -> None:
        from torchdojo.sandbox.preload import extras_for
        from torchdojo.sandbox.start import start

        dojo = Dojo(root)
        refuse_to_grade_others(root)
        self.reveal = level_for(root, config.getoption("--reveal"))
        self.handed_in = handed_in(config, root)
        self.submission = self.handed_in.submission if self.handed_in else receive_one(root / "exercises", dojo)[0]
        devices = asked_for(config.getoption("--device"))
        if gpu_among(devices):
            devices = at_hand(devices)
        self.zygote = start(extras_for(dojo.graded(), devices))
        if config.getoption("--require-isolation"):
            from torchdojo.sandbox import isolation

            try:
                isolation.require(self.zygote)
            except UsageError:
                self.zygote.close()
                raise
        from torchdojo.judge.oracle import Oracle  # imports PyTorch
        from torchdojo.judge.session import Session

        if sentence := left_out(devices):
            config.issue_config_time_warning(pytest.PytestWarning(sentence), stacklevel=2)
        oracle = Oracle(config.getoption("--dojo-seed"), devices=at_hand(devices))
        self.session = Session(self.zygote, self.submission, oracle)
        config.dojo_close = self.close  # type: ignore[attr-defined]

    def close(self) -> None:
        self.session.close()
        self.zygote.close()
        temporary.remove()


def shared_run(root: Path, config: pytest.Config) -> Run:
    """The one Run of this pytest process; made before the first grader is imported."""
    if not hasattr(config, "dojo_run"):
        config.dojo_run = Run(root, config)  # type: ignore[attr-defined]
    run: Run = config.dojo_run  # type: ignore[attr-defined]
    return run


def _blank(check: Any, place: int, level: str) -> CheckRecord:
    """The text for a check before it has run."""
    blank = CheckRecord(check.name, check.title, "skipped", 0, check.points, secret=check.secret, reveal=check.reveal)
    return redacted(blank, level, place)


class GraderFile(pytest.File):
    """One hidden grader."""

    def collect(self) -> Any:
        root = self.path.parent.parent.parent
        if hasattr(self.config, "dojo_unusable"):  # one grader file has said it
            return []
        try:
            run = shared_run(root, self.config)
        except UsageError as error:
            self.config.dojo_unusable = True  # type: ignore[attr-defined]
            raise self.CollectError(str(error)) from None
        exercise = Exercise(root, f"{self.path.parent.name}/{self.path.stem.removeprefix('grade_')}")
        if run.handed_in is not None and not run.handed_in.asks(self.config, self.path, exercise.id):
            return []
        if self.config.getoption("--require-isolation"):
            try:
                refuse_adopted([exercise])
            except UsageError as error:
                raise self.CollectError(str(error)) from None
        checks = exercise.grading.checks
        blanks = [_blank(c, n, run.reveal) for n, c in enumerate(checks, 1)]
        return [
            CheckItem.from_parent(self, name=blank.name, check=check, blank=blank, place=place, run=run, exercise=exercise)
            for place, (check, blank) in enumerate(zip(checks, blanks, strict=True), 1)
        ]


class CheckItem(pytest.Item):
    """One hidden check."""

    def __init__(self, *, run: Run, exercise: Exercise, check: Any, blank: CheckRecord, place: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.run, self.exercise, self.check, self.title, self.place = run, exercise, check, blank.title, place
        self.record: Any = None
        self.add_marker(pytest.mark.timeout(0))  # the engine has its own, on the other side of the wall
        self.user_properties.append(("points", number(check.points)))

    def runtest(self) -> None:
        from torchdojo.explain.records import record_of  # late: it imports torch, and the zygote comes first

        record = record_of(self.run.session.result(self.exercise, self.check), edits=self.run.reveal == "full")
        self.record = redacted(record, self.run.reveal, self.place)
        self.user_properties.append(("score", number(self.record.score)))
        if self.record.status == "skipped":
            pytest.skip(self.record.feedback)
        if self.record.status != "passed":
            raise CheckFailed(self.record.feedback)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if not isinstance(excinfo.value, CheckFailed):
            return super().repr_failure(excinfo)
        from torchdojo.explain.labels import wrapped
        from torchdojo.learner.messages import columns  # imports PyTorch

        worth = f"{number(self.record.score)} of {counted(self.check.points, 'point')}" + ", for the star" * self.check.star
        headline = f"{self.title}   {worth}"
        return wrapped(f"{headline}\n{excinfo.value}".rstrip(), columns(self.config))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"{self.exercise.id}: {self.title}"

    def dojo_notes(self, report: Any, call: Any) -> None:
        if report.when == "call" and self.record is not None:
            status = {"passed": "passed", "todo": "todo", "skipped": "skipped"}.get(self.record.status, "failed")
            report.dojo = {"exercise": self.exercise.id, "status": status, "claim": self.title, "hidden": True}
            report.dojo["root"] = str(self.exercise.root)
            report.dojo["star"] = self.check.star
            report.dojo["of"] = len(self.exercise.grading.checks)
            report.dojo["task"] = len(self.exercise.grading.task)
