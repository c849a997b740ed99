"""Judge one submission: run each check in a worker, compare with the oracle, recheck. `explain` words the results."""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass

from torchdojo.common.plain_text import clean, stable
from torchdojo.course.exercise import Exercise
from torchdojo.grading.checks import Check
from torchdojo.judge import faults
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.recheck.rerun import look_back, second_look
from torchdojo.judge.result import Verdict
from torchdojo.judge.runner import Runner
from torchdojo.judge.verdict import broken_elsewhere
from torchdojo.sandbox.linux import Zygote
from torchdojo.submission.folder import Submission
from torchdojo.wire.errors import StarterGone
from torchdojo.wire.outcome import Held
from torchdojo.wire.requests import Ambient


@dataclass(frozen=True)
class Result:
    """The result of a check: the verdict with all observations, and the session to ask for more."""

    session: Session
    exercise: Exercise
    check: Check
    verdict: Verdict


class Session(Runner):
    """One submission under test."""

    looks_back = True  # no other than a learner's files need it

    def __init__(
        self,
        zygote: Zygote,
        submission: Submission,
        oracle: Oracle,
        *, variant: str | None = None, ambient: Ambient | None = None,
    ) -> None:  # fmt: skip
        """variant, ambient: see `Runner`."""
        super().__init__(zygote, submission, oracle, variant=variant, ambient=ambient)
        self.faults = oracle.faults  # our own faults, for the log
        self.looked_back = ""  # the exercise at which it was
        self.remembered: dict[tuple[object, ...], object] = {}  # what explanations found out, see `explain.memo`

    def result(self, exercise: Exercise, check: Check) -> Result:
        """Run one check, after all checks of the exercise ran. Our own errors give the status 'error', never a failure."""
        try:
            self._look_back(exercise)
            verdict = self.verdict(exercise, check)
            if verdict.status == "passed" and (rule := broken_elsewhere(self.verdicts, exercise)):
                verdict = dataclasses.replace(verdict, status="failed", text=rule)
        except (Exception, SystemExit) as error:
            self.faults.append(faults.logged(error, f"{exercise.id}, {check.name}"))
            self.drop()
            verdict = Verdict("error", text=faults.told(error))
        return Result(self, exercise, check, verdict)

    def _look_back(self, exercise: Exercise) -> None:
        """Run all checks of the exercise, then look at the worker, once."""
        beside = all(one.adopted for one in exercise.grading.checks)  # then the worker decides, and no second look can change that
        if not self.looks_back or self.looked_back == exercise.id or beside:
            return
        for check in exercise.grading.checks:
            try:
                self.verdict(exercise, check)
            except (Exception, SystemExit):  # it is raised again when the check's own result is requested
                self.drop()
        look_back(self, exercise, lambda check: self.verdict(exercise, check))
        self.looked_back = exercise.id

    def verdict(self, exercise: Exercise, check: Check) -> Verdict:
        """The verdict of a check; found once, then remembered while this exercise lasts: a diagnosis looks at all its checks."""
        if self.verdicts and next(iter(self.verdicts))[0] != exercise.id:  # the observations of all exercises could fill the memory
            self.verdicts, self.looked_back, self.held = {}, "", Held()
        if (key := (exercise.id, check.name)) not in self.verdicts:
            if self.worker is not None:
                self.worker.printed()  # what was printed meanwhile, while a failure was explained
            start = time.monotonic()
            try:
                verdict = self.judge(exercise, check)
            except StarterGone:  # it took the workers along, so this is no answer. Try a new one, once
                self.drop()
                verdict = self.judge(exercise, check)
            verdict.seconds = round(time.monotonic() - start, 4)
            verdict.printed = stable(clean(self.worker.printed())) if self.worker is not None else ""
            verdict.worker = self.worker
            self.verdicts[key] = second_look(self, exercise, check, verdict)
        return self.verdicts[key]
