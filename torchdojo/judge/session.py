"""Grade one submission: run each check in a worker, compare with the oracle, word the result.

A worker that dies, hangs or lies costs the check in which it does; the next check gets a fresh one. What went wrong while
an exercise was imported holds for all its checks and is not tried again.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from torchdojo.common import clock
from torchdojo.common.plain_text import clean, stable
from torchdojo.course.exercise import Exercise
from torchdojo.explain import mistakes
from torchdojo.explain.layout import row
from torchdojo.explain.message import word
from torchdojo.explain.reveal import redacted
from torchdojo.grading.checks import Check
from torchdojo.judge import faults
from torchdojo.judge.compare import Difference
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.recheck.rerun import final, second_look, source_of
from torchdojo.judge.recheck.suspicion import Source
from torchdojo.judge.record import CheckRecord, ExerciseRecord
from torchdojo.judge.result import Verdict, crash_text, slow_text
from torchdojo.judge.slot import Host, load_request
from torchdojo.judge.verdict import broken_elsewhere, differs, verdict_on
from torchdojo.sandbox.devices import absence
from torchdojo.sandbox.linux import Worker, Zygote
from torchdojo.submission.folder import Submission
from torchdojo.wire import strict as wire
from torchdojo.wire.errors import StarterGone, WorkerGone, WorkerLied, WorkerSlow
from torchdojo.wire.outcome import Held, Outcomes, checked_error, read_outcomes

LOAD_SECONDS = 10.0
JUDGE_SECONDS = 10.0  # of processor time, to read, compare and judge the answers of a check; right ones take a hundredth
WORD_SECONDS = 60.0  # the same, to explain a failure
PATIENCE = 2  # so many checks of an exercise may run out of their time; then the others have no more than ...
SHORT_SECONDS = 2.0  # ... or one endless submission takes an hour of a class
REPEATS = 2


class Session:
    """One submission under test."""

    looks_back = True  # no other than a learner's files need it

    def __init__(
        self,
        zygote: Zygote,
        submission: Submission,
        oracle: Oracle,
        *, variant: str | None = None, ambient: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """For `verify`: variant: put this known mistake or alternative over the exercise's file.
        ambient: surroundings in which the checks run, see `run.ambient`."""
        self.zygote, self.submission, self.oracle = zygote, submission, oracle
        self.variant, self.ambient = variant, ambient
        self.shared = Host()  # of plain files; any other file has one of its own, while this one waits
        self.host = self.shared
        self.imports: dict[str, Verdict | None] = {}
        self.verdicts: dict[tuple[str, str], Verdict] = {}
        self.explaining: dict[str, list[mistakes.Explanation]] = {}
        self.held = Held()
        self.sources: dict[str, Source] = {}
        self.looks: dict[str, Any] = {}  # what each exercise's module held after its import
        self.alone: set[str] = set()  # plain files that have a worker of their own all the same
        self.looked_back = ""  # the exercise at which it was
        self.twin = Host()  # where files are imported again
        self.layers: list[str] = []
        self.load_seconds = LOAD_SECONDS
        self.endless: Counter[str] = Counter()  # for each exercise, the checks that ran out of time

    def grade(self, exercise: Exercise) -> Iterator[CheckRecord]:
        """The record of each check of an exercise, as soon as it is known."""
        try:
            checks = exercise.grading.checks
        except (Exception, SystemExit) as error:  # it must not cost the results of the other exercises
            self.faults.append(faults.logged(error, f"the grader of {exercise.id}"))
            yield CheckRecord("grader", "The grader can be read.", "error", 0, 0, faults.told(error), device=self.oracle.devices[0])
            return
        for check in checks:
            yield self.run(exercise, check)

    def run(self, exercise: Exercise, check: Check) -> CheckRecord:
        """Run one check and word its result. A fault of ours becomes an 'error', never the learner's failure."""
        record = CheckRecord(check.name, check.title, "error", 0, check.points, device=self.oracle.devices[0])
        record.secret, record.reveal, record.star = check.secret, check.reveal, check.star
        try:
            verdict = final(self, exercise, check)
            record.status, record.seconds, record.printed = verdict.status, verdict.seconds, verdict.printed
        except (Exception, SystemExit) as error:
            record.status, record.max_score, record.feedback = "error", 0, faults.told(error)
            self.faults.append(faults.logged(error, f"{exercise.id}, {check.name}"))
            self.drop()
            return record
        if verdict.status == "passed" and (rule := broken_elsewhere(self, exercise)):
            record.status, record.feedback, record.parts = "failed", row("went wrong", rule), {"problem": rule}
        elif verdict.status == "passed":
            record.score = check.points
        elif verdict.status == "skipped":
            record.max_score, record.feedback = 0, verdict.text
        else:
            try:
                with clock.limited(WORD_SECONDS):
                    told = word(self, exercise, check, verdict)
                record.feedback, record.cause, record.parts, record.line = told.text, told.cause, told.parts, told.line
                if verdict.difference is not None:
                    record.device = self.oracle.runs(check)[verdict.example][0]
            except (Exception, SystemExit, clock.TooSlow) as error:  # the verdict stands, whatever we stumble over in explaining it
                said = clean(verdict.difference.sentence if verdict.difference else verdict.text)[:400]
                record.feedback, record.parts = row("went wrong", said), {"problem": said}
                if not isinstance(error, clock.TooSlow):
                    self.faults.append(faults.logged(error, f"the words for {exercise.id}, {check.name}"))
                self.drop()
        return record

    def another(self) -> Session:
        """A new session on the same submission, with workers of its own."""
        return Session(self.zygote, self.submission, self.oracle, variant=self.variant, ambient=self.ambient)

    @property
    def faults(self) -> list[faults.Fault]:
        """Our own faults, for the log."""
        return self.oracle.faults

    # ------------------------------------------------------------------ verdicts
    def verdict(self, exercise: Exercise, check: Check) -> Verdict:
        """The verdict of a check; found once, then remembered while this exercise lasts: a diagnosis looks at all its checks."""
        if self.verdicts and next(iter(self.verdicts))[0] != exercise.id:  # what was observed in all of them can fill the memory
            self.verdicts, self.explaining, self.looked_back, self.held = {}, {}, "", Held()
        if (key := (exercise.id, check.name)) not in self.verdicts:
            if self.worker is not None:
                self.worker.printed()  # what was said meanwhile, while a failure was explained
            start = time.monotonic()
            try:
                found = self.judge(exercise, check)
            except StarterGone:  # and the workers with it: nobody's answer. A new one, once
                self.drop()
                found = self.judge(exercise, check)
            found.seconds = round(time.monotonic() - start, 4)
            found.printed = stable(clean(self.worker.printed())) if self.worker is not None else ""
            found.worker = self.worker
            self.verdicts[key] = second_look(self, exercise, check, found)
        return self.verdicts[key]

    def seconds(self, check: Check) -> float:
        """The time limit of a check, all its examples together."""
        return check.seconds

    def limit(self, exercise: Exercise, check: Check) -> float:
        """The same, shorter where checks of this exercise have run out of time before."""
        return min(self.seconds(check), SHORT_SECONDS) if self.endless[exercise.id] >= PATIENCE else self.seconds(check)

    def judge(self, exercise: Exercise, check: Check, runs: slice = slice(None)) -> Verdict:
        """Run the check in the worker and compare what came back with the oracle. runs: only these of its runs."""
        absent = [missing for name in check.needs if (missing := absence(name, self.oracle.devices))]
        if absent:
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
            if self._others(exercise):  # what an earlier exercise left running may have done it
                self.drop()
                return self.judge(exercise, check, runs)
            self.drop()
            return Verdict("crashed", text=crash_text(error))

    def differs(self, exercise: Exercise, check: Check, number: int, outcome: dict[str, Any]) -> Difference | None:
        """Where an outcome parts from what is right."""
        oracle = self.oracle
        device, arguments = oracle.runs(check)[number][0], oracle.arguments(check, number)

        def wanted() -> dict[str, Any]:
            with clock.paused():
                return oracle.outcome(exercise, check, number)

        return differs(oracle, exercise, check, outcome, arguments, wanted, device)

    # ------------------------------------------------------------------ the worker
    def ready(self, exercise: Exercise) -> Verdict | None:
        """Have the exercise imported in a live worker; a verdict when that is impossible."""
        if exercise.id in self.submission.refused:
            return Verdict("failed", text=self.submission.refused[exercise.id])
        if exercise.id not in self.submission.files:
            return Verdict("todo", text=f"{exercise.stem}.py was not handed in.")
        known = self.imports.get(exercise.id)
        if known is not None or exercise.id in self.host.loaded:
            return known
        if self._placed(exercise):
            return None
        host = self.host
        self.layers = host.start(self.zygote, self.submission.staged())
        host.hosted.add(exercise.id)
        host.unread = True
        request = load_request(self.submission, exercise)
        if self.variant:
            request |= {"variants": exercise.variants_file.name, "variant": self.variant}
        verdict: Verdict | None = None
        try:
            assert host.worker is not None
            reply = host.worker.call(request, self.load_seconds)
            self.looks[exercise.id] = reply.get("look")
            if reply.get("raised"):
                verdict = Verdict("failed", Difference("import", "", "", checked_error(reply["raised"])))
            elif reply.get("todo"):
                verdict = Verdict("todo")
        except WorkerSlow:
            self.drop()
            verdict = Verdict("timeout", text=f"the file did not finish importing within {self.load_seconds:g} seconds")
        except (WorkerGone, WorkerLied) as error:
            if self._others(exercise):  # what an earlier exercise left running may have done it, or the process was gone before
                self.drop()
                return self.ready(exercise)
            self.drop()
            verdict = Verdict("crashed", text="while the file was imported, " + crash_text(error))
        self.imports[exercise.id] = verdict
        if verdict is None:
            host.loaded.add(exercise.id)
        return verdict

    def _placed(self, exercise: Exercise) -> bool:
        """Choose the worker for an exercise: what one that is not plain does to its process must not reach another one.
        True when the exercise is loaded there."""
        own = self.host is not self.shared
        if source_of(self, exercise).plain and exercise.id not in self.alone:
            if own:
                self.host.end()
            self.host = self.shared
        elif not own:
            self.host = Host()
        elif self.host.hosted:
            self.host.end()
        return exercise.id in self.host.loaded

    def observe(
        self, exercise: Exercise, check: Check, examples: list[bytes], *, explain: bool = False, times: float = 1
    ) -> Outcomes:
        """What the worker sees in each example. explain: see `worker.serve`. times: so many times the check's time."""
        return read_outcomes(wire, self.ask(exercise, check, examples, explain=explain, times=times), len(examples))

    def ask(
        self, exercise: Exercise, check: Check, examples: bytes | list[bytes], *, explain: bool = False, times: float = 1
    ) -> Any:
        """The worker's reply for some examples, as it came. They are in one frame, or in one each."""
        assert self.worker is not None
        request = self.host.run_request(exercise, check, examples)
        request |= {"repeat": 0 if explain else REPEATS, "explain": explain, "ambient": self.ambient}
        self.host.unread = True
        return self.worker.call(request, times * self.limit(exercise, check)).get("outcomes")

    def explained(self, exercise: Exercise, check: Check, examples: list[bytes]) -> Sequence[dict[str, Any]]:
        """The outcomes of further inputs, with the calls of the learner's code in each; [] when they cannot be had."""
        try:
            if self.ready(exercise) is None:
                return self.observe(exercise, check, examples, explain=True)
        except (WorkerGone, WorkerSlow, WorkerLied, StarterGone):
            self.drop()
        return []

    def _others(self, exercise: Exercise) -> bool:
        """Has the worker run the code of other exercises as well?"""
        return bool(self.host.hosted - {exercise.id})

    @property
    def worker(self) -> Worker | None:
        """The worker in use."""
        return self.host.worker

    def drop(self) -> None:
        """End the workers."""
        for host in (self.host, self.shared):
            host.end()

    def close(self) -> None:
        """End the worker and remove the staged files."""
        self.drop()
        self.twin.end()
        self.submission.close()


def grade_submission(
    zygote: Zygote, submission: Submission, exercises: list[Exercise], oracle: Oracle, reveal: str = "full"
) -> Iterator[tuple[Session, ExerciseRecord, CheckRecord]]:
    """Grade the exercises one after the other; yields after each check, so that nothing found is ever lost.

    reveal: how much of the hidden checks the records hold, see `torchdojo.explain.reveal`.
    """
    session = Session(zygote, submission, oracle)
    try:
        for exercise in exercises:
            record = ExerciseRecord(exercise.id, complete=False)
            for place, graded in enumerate(session.grade(exercise), 1):
                check_record = redacted(graded, reveal, place)
                record.checks.append(check_record)
                yield session, record, check_record
            record.complete = True
    finally:
        session.close()
