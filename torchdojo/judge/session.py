"""Judge one submission: run each check in a worker, compare with the oracle, recheck. `explain` words the results."""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass

from torchdojo.common import clock
from torchdojo.common.plain_text import clean, stable
from torchdojo.course.exercise import Exercise
from torchdojo.course.stubs import untouched
from torchdojo.grading.checks import Check
from torchdojo.judge import faults
from torchdojo.judge.compare import Difference
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.recheck.rerun import final, second_look
from torchdojo.judge.result import Verdict, crash_text, slow_text
from torchdojo.judge.runner import Runner
from torchdojo.judge.verdict import broken_elsewhere, differs, verdict_on
from torchdojo.limits import JUDGE_SECONDS
from torchdojo.sandbox.devices import absence
from torchdojo.sandbox.linux import Zygote
from torchdojo.submission.folder import Submission
from torchdojo.wire.errors import StarterGone, WorkerGone, WorkerLied, WorkerSlow
from torchdojo.wire.outcome import Held, Outcome
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
        super().__init__(zygote, submission, variant=variant, ambient=ambient)
        self.oracle, self.faults = oracle, oracle.faults  # our own faults, for the log
        self.verdicts: dict[tuple[str, str], Verdict] = {}  # of the exercise that is being judged
        self.held = Held()
        self.looked_back = ""  # the exercise at which it was
        self.changing: dict[str, frozenset[str] | None] = {}  # what `recheck.reimport` found out
        self.remembered: dict[tuple[object, ...], object] = {}  # what explanations found out, see `explain.remembered`

    def result(self, exercise: Exercise, check: Check) -> Result:
        """Run one check, after all checks of the exercise ran. Our own errors give the status 'error', never a failure."""
        try:
            verdict = final(self, exercise, check)
            if verdict.status == "passed" and (rule := broken_elsewhere(self, exercise)):
                verdict = dataclasses.replace(verdict, status="failed", text=rule)
        except (Exception, SystemExit) as error:
            self.faults.append(faults.logged(error, f"{exercise.id}, {check.name}"))
            self.drop()
            verdict = Verdict("error", text=faults.told(error))
        return Result(self, exercise, check, verdict)

    def another(self) -> Session:
        """A new session on the same submission, with its own workers."""
        return Session(self.zygote, self.submission, self.oracle, variant=self.variant, ambient=self.ambient)

    # ------------------------------------------------------------------ verdicts
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

    def judge(self, exercise: Exercise, check: Check, runs: slice = slice(None)) -> Verdict:
        """Run the check in the worker and compare the reply with the oracle. runs: only these of its runs."""
        absent = [missing for name in check.needs if (missing := absence(name, self.oracle.devices))]
        if absent:
            file = self.submission.files.get(exercise.id)
            if exercise.id not in self.submission.refused and (file is None or untouched(exercise, file)):
                return Verdict("todo")
            return Verdict("skipped", text=f"not graded on this machine: {absent[0]}. It costs no points.")
        problem = self.ready(exercise)
        if problem is not None:
            return problem
        examples = self.oracle.together(check) if runs == slice(None) else self.oracle.examples(check)[runs]
        try:
            reply = self.ask(exercise, check, examples)
            with clock.limited(JUDGE_SECONDS):
                return verdict_on(self, exercise, check, runs, reply)
        except (WorkerSlow, clock.TooSlow) as error:
            self.drop()
            seconds = self.limit(exercise, check)
            self.endless[exercise.id] += 1
            return Verdict("timeout", text=slow_text(error, seconds, seconds < self.seconds(check)))
        except (WorkerGone, WorkerLied) as error:
            if self.has_run_others(exercise):  # code of an earlier exercise may still run, and may be the reason
                self.drop()
                return self.judge(exercise, check, runs)
            self.drop()
            return Verdict("crashed", text=crash_text(error))

    def differs(self, exercise: Exercise, check: Check, number: int, outcome: Outcome) -> Difference | None:
        """The first difference between an outcome and the right one."""
        oracle = self.oracle
        device, arguments = oracle.runs(check)[number][0], oracle.arguments(check, number)

        def wanted() -> Outcome:
            with clock.paused():
                return oracle.outcome(exercise, check, number)

        return differs(oracle, exercise, check, outcome, arguments, wanted, device)
