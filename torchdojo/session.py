"""Grade one submission: run each check in a worker, compare with the oracle, word the result.

A worker that dies, hangs or lies costs the check in which it does; the next check gets a fresh one. What went wrong while
an exercise was imported holds for all its checks and is not tried again.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from torchdojo import faults
from torchdojo.compare import Difference, compare, compare_outcomes
from torchdojo.diagnose import mistakes, symptoms
from torchdojo.exercise import Exercise
from torchdojo.feedback import clean, failure, row, unreadable
from torchdojo.grading.checks import Check
from torchdojo.judging import judged
from torchdojo.launch import StarterGone, Worker, WorkerGone, WorkerLied, WorkerSlow, Zygote
from torchdojo.oracle import Oracle
from torchdojo.outcomes import checked_error, crash_text, read_outcomes
from torchdojo.plain_text import stable
from torchdojo.record import CheckRecord, ExerciseRecord
from torchdojo.second_look import hiding, second_look, source_of, unfilled
from torchdojo.source import Source
from torchdojo.submission import Submission

LOAD_SECONDS = 10.0
REPEATS = 2


@dataclass
class Verdict:
    """What a check found, before it is worded: a status, the first difference, and everything that was observed."""

    status: str
    difference: Difference | None = None
    example: int = 0
    outcomes: list[dict[str, Any]] = field(default_factory=list)
    text: str = ""
    seconds: float = 0.0
    printed: str = ""


class Session:
    """One submission under test."""

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
        self.worker: Worker | None = None
        self.loaded: set[str] = set()
        self.hosted: set[str] = set()  # exercises whose code has run in the worker, if only while it was imported
        self.sent: set[tuple[str, str]] = set()
        self.imports: dict[str, Verdict | None] = {}
        self.verdicts: dict[tuple[str, str], Verdict] = {}
        self.sources: dict[str, Source] = {}
        self.alone = False  # the worker belongs to one exercise, whose file is not plain
        self.layers: list[str] = []
        self.load_seconds = LOAD_SECONDS

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
        try:
            verdict = self.verdict(exercise, check)
            record.status, record.seconds, record.printed = verdict.status, verdict.seconds, verdict.printed
        except (Exception, SystemExit) as error:
            record.status, record.max_score, record.feedback = "error", 0, faults.told(error)
            self.faults.append(faults.logged(error, f"{exercise.id}, {check.name}"))
            self.drop()
            return record
        if verdict.status == "passed":
            record.score = check.points
        elif verdict.status == "skipped":
            record.max_score, record.feedback = 0, verdict.text
        else:
            try:
                record.feedback, record.cause = self._word(exercise, check, verdict)
                if verdict.difference is not None:
                    record.device = self.oracle.runs(check)[verdict.example][0]
            except (Exception, SystemExit) as error:  # the verdict stands, whatever we stumble over in explaining it
                said = verdict.difference.sentence if verdict.difference else verdict.text
                record.feedback = row("went wrong", clean(said)[:400])
                self.faults.append(faults.logged(error, f"the words for {exercise.id}, {check.name}"))
                self.drop()
        return record

    @property
    def faults(self) -> list[str]:
        """Tracebacks of our own faults, for the log."""
        return self.oracle.faults

    # ------------------------------------------------------------------ verdicts
    def verdict(self, exercise: Exercise, check: Check) -> Verdict:
        """The verdict of a check; found once, then remembered (a diagnosis looks at all checks of an exercise)."""
        key = (exercise.id, check.name)
        if key not in self.verdicts:
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
            self.verdicts[key] = second_look(self, exercise, check, found)
        return self.verdicts[key]

    def seconds(self, check: Check) -> float:
        """The time limit of a check, all its examples together."""
        return check.seconds

    def judge(self, exercise: Exercise, check: Check, runs: slice = slice(None)) -> Verdict:
        """Run the check in the worker and compare what came back with the oracle. runs: only these of its runs."""
        absent = [name for name in check.needs if importlib.util.find_spec(name) is None]
        if absent:
            return Verdict("skipped", text=f"not graded on this machine: {absent[0]} is not installed. It costs no points.")
        problem = self._ready(exercise)
        if problem is not None:
            return problem
        examples = self.oracle.examples(check)[runs]
        try:
            outcomes = self.observe(exercise, check, examples)
        except WorkerSlow:
            self.drop()
            limit = f"{self.seconds(check):g} second" + "s" * (self.seconds(check) != 1)
            return Verdict("timeout", text=f"stopped after {limit}: it may loop forever, or do far too much work")
        except (WorkerGone, WorkerLied) as error:
            if self._others(exercise):  # what an earlier exercise left running may have done it
                self.drop()
                return self.judge(exercise, check, runs)
            self.drop()
            return Verdict("crashed", text=crash_text(error))
        for number, outcome in enumerate(outcomes, runs.start or 0):
            raised = outcome.get("raised")
            if raised and raised.get("todo"):
                return Verdict("todo", example=number, outcomes=outcomes)
            difference = self.differs(exercise, check, number, outcome) or hiding(self, exercise, check)
            if difference:
                return Verdict("failed", difference, number, outcomes)
        if len(outcomes) != len(examples):
            return Verdict("crashed", text="the worker did not answer for every input")
        return Verdict("passed", outcomes=outcomes)

    def differs(self, exercise: Exercise, check: Check, number: int, outcome: dict[str, Any]) -> Difference | None:
        if check.verdict is not None:
            found = judged(self.oracle, exercise, check, number, outcome)
        else:
            want = self.oracle.outcome(exercise, check, number)
            found = compare_outcomes(
                outcome, want, tolerance=check.tolerance, mutates=check.mutates, aliasing=check.aliasing
            )
        if found:
            return found
        used = [name for name in check.forbids if name in outcome.get("operations", ())]
        if used:
            return Difference("rule", "", f"{check.forbids[used[0]]} was used; {check.because}", used)
        again = outcome.get("again")
        if again is not None:
            changed = compare(again.get("value"), outcome.get("value"), check.tolerance)
            if changed or "raised" in again:
                return Difference("flaky", "", "a second call with the same input gave another answer", again, outcome)
        return None

    # ------------------------------------------------------------------ the worker
    def _ready(self, exercise: Exercise) -> Verdict | None:
        """Have the exercise imported in a live worker; a verdict when that is impossible."""
        if exercise.id in self.submission.refused:
            return Verdict("failed", text=self.submission.refused[exercise.id])
        if exercise.id not in self.submission.files:
            return Verdict("todo", text=f"{exercise.stem}.py was not handed in.")
        known = self.imports.get(exercise.id)
        if known is not None or exercise.id in self.loaded:
            return known
        plain = source_of(self, exercise).plain
        if self.hosted and (self.alone or not plain):
            self.drop()  # what one exercise does to its process must not reach another one
        if self.worker is None:
            self.worker = self.zygote.worker(self.submission.staged())
            self.layers = self.worker.layers
            self.alone = not plain
        self.hosted.add(exercise.id)
        folder = str(self.submission.staged() / exercise.chapter)
        request = {"do": "load", "exercise": exercise.id, "folder": folder, "file": f"{exercise.stem}.py", "folders": [folder]}
        if self.variant:
            request |= {"variants": exercise.variants_file.name, "variant": self.variant}
        verdict: Verdict | None = None
        try:
            reply = self.worker.call(request, self.load_seconds)
            if reply.get("stale"):
                self.drop()
                return self._ready(exercise)
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
                return self._ready(exercise)
            self.drop()
            verdict = Verdict("crashed", text="while the file was imported, " + crash_text(error))
        self.imports[exercise.id] = verdict
        if verdict is None:
            self.loaded.add(exercise.id)
        return verdict

    def observe(self, exercise: Exercise, check: Check, examples: list[bytes], *, explain: bool = False) -> list[dict[str, Any]]:
        assert self.worker is not None
        key, name = (exercise.id, check.name), f"{exercise.id}:{check.name}"
        request: dict[str, Any] = {
            **{"do": "run", "exercise": exercise.id, "check": name, "random": check.random},
            **{"watch": bool(check.forbids), "repeat": 0 if explain else REPEATS, "explain": explain, "examples": examples},
            "folder": str(self.submission.staged() / exercise.chapter),
            "ambient": self.ambient,
        }
        if key not in self.sent:
            request["code"] = check.code
            self.sent.add(key)
        reply = self.worker.call(request, self.seconds(check))
        return read_outcomes(self.worker.wire, reply.get("outcomes"), len(examples))

    def explain(self, exercise: Exercise, check: Check, number: int) -> list[dict[str, Any]]:
        """The calls of the learner's functions in one example, as data; [] when they cannot be had."""
        try:
            if self._ready(exercise) is None:
                outcomes = self.observe(exercise, check, [self.oracle.examples(check)[number]], explain=True)
                calls = outcomes[0].get("calls") if outcomes else None
                return [c for c in calls if isinstance(c, dict)] if isinstance(calls, list) else []
        except (WorkerGone, WorkerSlow, WorkerLied, StarterGone):
            self.drop()
        return []

    def _others(self, exercise: Exercise) -> bool:
        """Has the worker run the code of other exercises as well?"""
        return bool(self.hosted - {exercise.id})

    def drop(self) -> None:
        if self.worker is not None:
            self.worker.close()
        self.worker, self.alone = None, False
        self.loaded.clear()
        self.hosted.clear()
        self.sent.clear()

    def close(self) -> None:
        """End the worker and remove the staged files."""
        self.drop()
        self.submission.close()

    # ------------------------------------------------------------------ words
    def _word(self, exercise: Exercise, check: Check, verdict: Verdict) -> tuple[str, str | None]:
        file = f"{exercise.stem}.py"
        if verdict.status == "todo":
            return verdict.text or to_do_text(exercise, verdict.outcomes), None
        if verdict.difference is None:
            return row("went wrong", clean(verdict.text)), None
        if verdict.difference.rung == "import":
            return unreadable(verdict.difference.got, file), None
        cause = mistakes.named(self, exercise, check) if exercise.reference.exists() else None
        cause = cause or unfilled(verdict) or symptoms.of_verdict(exercise, check, verdict, self.oracle)
        calls = self.explain(exercise, check, verdict.example)
        arguments = self.oracle.arguments(check, verdict.example)
        device = self.oracle.runs(check)[verdict.example][0]
        return failure(exercise, check, verdict.difference, arguments, calls, cause, device=device)


def to_do_text(exercise: Exercise, outcomes: list[dict[str, Any]]) -> str:
    """What is to do: the part that the stub's own error names, an answer, or the whole file."""
    raised = outcomes[-1].get("raised", {}) if outcomes else {}
    file = f"{exercise.stem}.py"
    if raised.get("type") == "NotYet":
        return f"{file}: not answered yet."
    before, _, part = str(raised.get("text", "")).partition(": write ")
    return f"{file}: {part} is not written yet." if part and before == exercise.id else f"{file}: not written yet."


def grade_submission(
    zygote: Zygote, submission: Submission, exercises: list[Exercise], oracle: Oracle
) -> Iterator[tuple[Session, ExerciseRecord, CheckRecord]]:
    """Grade the exercises one after the other; yields after each check, so that nothing found is ever lost."""
    session = Session(zygote, submission, oracle)
    try:
        for exercise in exercises:
            record = ExerciseRecord(exercise.id)
            for check_record in session.grade(exercise):
                record.checks.append(check_record)
                yield session, record, check_record
    finally:
        session.close()
