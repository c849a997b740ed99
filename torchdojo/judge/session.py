"""Judge one submission: run each check in a worker, compare with the oracle, recheck. `explain` words the results."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from dataclasses import dataclass
from functools import partial

from torchdojo.common import clock
from torchdojo.common.plain_text import clean, stable
from torchdojo.course.exercise import Exercise
from torchdojo.grading.checks import Check
from torchdojo.judge import faults
from torchdojo.judge.charge import charge
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.recheck.rerun import look_back, second_look
from torchdojo.judge.result import Verdict
from torchdojo.judge.runner import Runner
from torchdojo.judge.verdict import broken_elsewhere
from torchdojo.limits import JUDGE_SECONDS
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
        self.judged: dict[tuple[str, str], Verdict] = {}  # of the checks that `charge` pays: what was found before
        self.remembered: dict[tuple[object, ...], object] = {}  # what explanations found out, see `explain.memo`

    def result(self, exercise: Exercise, check: Check) -> Result:
        """Run one check, after all checks of the exercise ran. Our own errors give the status 'error', never a failure."""
        try:
            verdict = self.charged(exercise, check)
            if verdict.status == "passed" and (rule := broken_elsewhere(self.verdicts, exercise)):
                verdict = dataclasses.replace(verdict, status="failed", text=rule)
        except (Exception, SystemExit) as error:
            self.faults.append(faults.logged(error, f"{exercise.id}, {check.name}"))
            self.drop()
            verdict = Verdict("error", text=faults.told(error))
        return Result(self, exercise, check, verdict)

    def charged(self, exercise: Exercise, check: Check) -> Verdict:
        """The verdict that counts, after all checks of the exercise ran and the worker was looked at, once."""
        if self.looked_back != exercise.id:
            self.charge(exercise)
            adopted = all(one.adopted for one in exercise.grading.checks)  # the worker decides, and no second look can change that
            if self.looks_back and not adopted:
                look_back(self, exercise, lambda one: self.charge(exercise, one))
            self.looked_back = exercise.id
        self.verdict(exercise, check)
        return self.verdicts[exercise.id, check.name]

    def charge(self, exercise: Exercise, check: Check | None = None) -> None:
        """Have a verdict for this check, or for all, and pay what `charge` pays. Paid checks are looked at like all that pass: they
        are repeated where others are, and refused where the worker was tampered with."""
        for one in exercise.grading.checks if check is None else [check]:
            try:
                self.verdict(exercise, one)
            except (Exception, SystemExit):  # it is raised again when the check's own result is requested
                if check is not None:
                    raise
                self.drop()
        known = [(one, (exercise.id, one.name)) for one in exercise.grading.checks if (exercise.id, one.name) in self.verdicts]
        if len(known) < len(exercise.grading.checks):
            return
        verdicts = {one: self.judged.get(key, self.verdicts[key]) for one, key in known}
        differs, facts = partial(self.differs, exercise), partial(self.differs, exercise, facts_alone=True)
        paid: dict[Check, Verdict] = {}
        with contextlib.suppress(clock.TooSlow):
            try:
                with clock.limited(JUDGE_SECONDS):
                    paid = charge(exercise, verdicts, self.oracle, differs, facts)
            except Exception as error:  # the oracle's, on an input at which no answer was compared; a judge's
                self.faults.append(faults.logged(error, f"{exercise.id}, what is charged"))
        for one, verdict in paid.items():
            key = exercise.id, one.name
            if key not in self.judged:
                self.judged[key] = self.verdicts[key]
                self.verdicts[key] = second_look(self, exercise, one, verdict)

    def verdict(self, exercise: Exercise, check: Check) -> Verdict:
        """The verdict of a check by itself; found once, then remembered while this exercise lasts: a diagnosis looks at all."""
        if self.verdicts and next(iter(self.verdicts))[0] != exercise.id:  # the observations of all exercises could fill the memory
            self.verdicts, self.judged, self.looked_back, self.held = {}, {}, "", Held()
        if (key := (exercise.id, check.name)) not in self.verdicts:
            if self.worker is not None:
                self.worker.printed()  # what was printed meanwhile, while a failure was explained
            start = time.monotonic()
            self.judged.pop(key, None)
            try:
                verdict = self.judge(exercise, check)
            except StarterGone:  # it took the workers along, so this is no answer. Try a new one, once
                self.drop()
                verdict = self.judge(exercise, check)
            verdict.seconds = round(time.monotonic() - start, 4)
            verdict.printed = stable(clean(self.worker.printed())) if self.worker is not None else ""
            verdict.worker = self.worker
            self.verdicts[key] = second_look(self, exercise, check, verdict)
        return self.judged.get(key, self.verdicts[key])
