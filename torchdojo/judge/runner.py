"""Run a submission in workers: which worker runs an exercise's file, and which requests it gets.

A worker that dies, hangs or lies costs the check in which it does so; the next check gets a fresh one. An error while
an exercise is imported counts for all its checks, and the import is not repeated.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from torchdojo.common import clock
from torchdojo.course.exercise import Exercise
from torchdojo.course.stubs import untouched
from torchdojo.grading.checks import Check
from torchdojo.judge.compare import Difference
from torchdojo.judge.observations import Outcomes, read_outcomes, tidied_error
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.recheck.suspicion import Source, read
from torchdojo.judge.result import Verdict, crash_text, slow_text
from torchdojo.judge.slot import Slot, load_request
from torchdojo.judge.verdict import differs, verdict_on
from torchdojo.limits import IMPORT_COMPARISON_SECONDS, JUDGE_SECONDS, LOAD_SECONDS, OVERTIME_CHECKS, OVERTIME_SECONDS
from torchdojo.sandbox.devices import absence
from torchdojo.sandbox.linux import Worker, Zygote
from torchdojo.submission.folder import Submission
from torchdojo.wire import strict as wire
from torchdojo.wire.errors import StarterGone, WorkerGone, WorkerLied, WorkerSlow
from torchdojo.wire.outcome import Held, Outcome
from torchdojo.wire.requests import Ambient, Imported

REPEATS = 2


class Runner:
    """One submission in its workers: runs checks, and judges each run by itself. `Session` adds the rechecks."""

    def __init__(
        self,
        zygote: Zygote,
        submission: Submission,
        oracle: Oracle,
        *, variant: str | None = None, ambient: Ambient | None = None,
    ) -> None:  # fmt: skip
        """For `verify`: variant: put this known mistake or alternative over the exercise's file.
        ambient: surroundings in which the checks run, see `run.ambient`."""
        self.zygote, self.submission, self.oracle = zygote, submission, oracle
        self.variant, self.ambient = variant, ambient
        self.verdicts: dict[tuple[str, str], Verdict] = {}  # of the exercise that is being judged
        self.held = Held()
        self.changing: dict[str, frozenset[str] | None] = {}  # what `recheck.reimport` found out
        self.shared = Slot()  # of plain files; any other file has one of its own, while this one waits
        self.slot = self.shared
        self.imports: dict[str, Verdict | None] = {}
        self.sources: dict[str, Source] = {}
        self.looks: dict[str, Any] = {}  # what each exercise's module held after its import
        self.alone: set[str] = set()  # plain files that get a worker of their own anyway
        self.twin = Slot()  # where files are imported again
        self.layers: list[str] = []
        self.load_seconds = LOAD_SECONDS
        self.endless: Counter[str] = Counter()  # for each exercise, the checks that ran out of time

    def another(self) -> Runner:
        """A new one on the same submission, with workers of its own."""
        return Runner(self.zygote, self.submission, self.oracle, variant=self.variant, ambient=self.ambient)

    def seconds(self, check: Check) -> float:
        """The time limit of a check, all its examples together."""
        return check.seconds

    def limit(self, exercise: Exercise, check: Check) -> float:
        """The same, shorter where checks of this exercise have run out of time before."""
        return min(self.seconds(check), OVERTIME_SECONDS) if self.endless[exercise.id] >= OVERTIME_CHECKS else self.seconds(check)

    def source_of(self, exercise: Exercise) -> Source:
        """How the exercise's file has to be run, according to its source and that of its helpers."""
        if exercise.id not in self.sources:
            file = self.submission.staged() / f"{exercise.id}.py"
            self.sources[exercise.id] = read(file.read_bytes())
        return self.sources[exercise.id]

    def ready(self, exercise: Exercise) -> Verdict | None:
        """Have the exercise imported in a live worker; a verdict when that is impossible."""
        if exercise.id in self.submission.refused:
            return Verdict("failed", text=self.submission.refused[exercise.id])
        if exercise.id not in self.submission.files:
            return Verdict("todo", text=f"{exercise.stem}.py was not handed in.")
        known = self.imports.get(exercise.id)
        if known is not None or exercise.id in self.slot.loaded:
            return known
        if self._placed(exercise):
            return None
        slot = self.slot
        self.layers = slot.start(self.zygote, self.submission.staged())
        slot.hosted.add(exercise.id)
        slot.unread = True
        request = load_request(self.submission, exercise)
        if self.variant:
            request.variants, request.variant = exercise.variants_file.name, self.variant
        verdict: Verdict | None = None
        try:
            assert slot.worker is not None
            reply = Imported.of(slot.worker.call("load", self.load_seconds, **vars(request)))
            self.looks[exercise.id] = reply.look
            if reply.todo or (reply.raised is not None and reply.raised.todo):
                verdict = Verdict("todo", raised=reply.raised)
            elif reply.raised is not None:
                verdict = Verdict("failed", Difference("import", (), "", tidied_error(reply.raised)))
        except WorkerSlow:
            self.drop()
            verdict = Verdict("timeout", text=f"the file did not finish importing within {self.load_seconds:g} seconds")
        except (WorkerGone, WorkerLied) as error:
            if self.has_run_others(exercise):  # their code may still run, and may be the reason; or the process was gone before
                self.drop()
                return self.ready(exercise)
            self.drop()
            verdict = Verdict("crashed", text="while the file was imported, " + crash_text(error))
        self.imports[exercise.id] = verdict
        if verdict is None:
            slot.loaded.add(exercise.id)
        return verdict

    def _placed(self, exercise: Exercise) -> bool:
        """Choose the worker for an exercise: a file that isn't plain must not affect another file's process.
        True if the exercise is loaded there."""
        own = self.slot is not self.shared
        if self.source_of(exercise).plain and exercise.id not in self.alone:
            if own:
                self.slot.end()
            self.slot = self.shared
        elif not own:
            self.slot = Slot()
        elif self.slot.hosted:
            self.slot.end()
        return exercise.id in self.slot.loaded

    def judge(self, exercise: Exercise, check: Check, runs: slice = slice(None)) -> Verdict:
        """Run the check in the worker and compare the reply with the oracle. runs: only these of its runs."""
        absent = [missing for name in check.needs if (missing := absence(name, self.oracle.devices))]
        alone = check.about_device and check.devices and len(self.oracle.devices) == 1
        if absent or alone:
            file = self.submission.files.get(exercise.id)
            if exercise.id not in self.submission.refused and (file is None or untouched(exercise, file)):
                return Verdict("todo")
            why = "not tried on another device" if alone else f"not graded on this machine: {absent[0]}"
            return Verdict("skipped", text=f"{why}. It costs no points.")
        problem = self.ready(exercise)
        if problem is not None:
            return problem
        examples = self.oracle.together(check) if runs == slice(None) else self.oracle.examples(check)[runs]
        adapted = exercise.id in self.submission.located
        try:
            reply = self.ask(exercise, check, examples)
            with clock.limited(JUDGE_SECONDS):
                return verdict_on(self.oracle, exercise, check, runs, reply, self.held, adapted, self.differs)
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

    def differs(
        self, exercise: Exercise, check: Check, number: int, outcome: Outcome, facts_alone: bool = False
    ) -> Difference | None:
        """The first difference between an outcome and the right one. facts_alone: see `verdict.differs`."""
        oracle = self.oracle
        device, arguments = oracle.runs(check)[number][0], oracle.arguments(check, number)

        def wanted() -> Outcome:
            with clock.paused():
                return oracle.outcome(exercise, check, number)

        return differs(oracle, exercise, check, outcome, arguments, wanted, device, facts_alone)

    def observe(
        self, exercise: Exercise, check: Check, examples: list[bytes], *, explain: bool = False, times: float = 1
    ) -> Outcomes:
        """What the worker sees in each example. explain: see `worker.serve`. times: a factor for the check's time limit."""
        return read_outcomes(wire, self.ask(exercise, check, examples, explain=explain, times=times), len(examples))

    def ask(
        self, exercise: Exercise, check: Check, examples: bytes | list[bytes], *, explain: bool = False, times: float = 1
    ) -> Any:
        """The worker's reply for some examples, as it came. They are in one frame, or in one each."""
        assert self.worker is not None
        request = self.slot.run_request(exercise, check, examples)
        request.repeat, request.explain, request.ambient = 0 if explain else REPEATS, explain, self.ambient
        self.slot.unread = True
        return self.worker.call("run", times * self.limit(exercise, check), **vars(request)).get("outcomes")

    def explained(self, exercise: Exercise, check: Check, examples: list[bytes]) -> Sequence[Outcome]:
        """The outcomes of further inputs, with the calls of the learner's code in each; [] when they cannot be had."""
        try:
            if self.ready(exercise) is None:
                return self.observe(exercise, check, examples, explain=True)
        except (WorkerGone, WorkerSlow, WorkerLied, StarterGone):
            self.drop()
        return []

    def look(self, exercise: Exercise) -> Any:
        """What the exercise's module holds now, see worker/again.py; nothing if it isn't loaded. Raises as a worker's call does."""
        if self.worker is None or exercise.id not in self.slot.loaded:
            return b"", False
        try:
            return self.worker.call("look", IMPORT_COMPARISON_SECONDS, **vars(load_request(self.submission, exercise)))["look"]
        except (WorkerGone, WorkerSlow, WorkerLied):
            self.drop()
            raise

    def import_again(self, exercise: Exercise, times: int, examples: Sequence[tuple[Check, list[bytes]]]) -> Any:
        """Import the file `times` times in a second process, and run the checks on these examples.

        Returns the worker's decoded reply. Raises as a worker's call does, BadFrame, or KeyError."""
        asked = [self.twin.run_request(exercise, check, packed) for check, packed in examples]
        seconds = self.load_seconds + sum(self.seconds(check) for check, _ in examples)
        assert self.twin.worker is not None
        request = {**vars(load_request(self.submission, exercise)), "times": times, "checks": [*map(vars, asked)]}
        return wire.decode(self.twin.worker.call("again", seconds, **request)["again"])

    @contextlib.contextmanager
    def second_process(self, exercise: Exercise) -> Iterator[None]:
        """Another worker for `import_again`. It ends with an error, and after a file that isn't plain."""
        plain = self.source_of(exercise).plain
        try:
            if not plain:
                self.twin.end()
            self.twin.start(self.zygote, self.submission.staged())
            self.twin.hosted.add(exercise.id)
            yield
        except BaseException:
            plain = False
            raise
        finally:
            if not plain:
                self.twin.end()

    def has_run_others(self, exercise: Exercise) -> bool:
        """Has the worker run the code of other exercises as well?"""
        return bool(self.slot.hosted - {exercise.id})

    def run_alone(self, exercise: Exercise) -> None:
        """From now on the exercise has a worker of its own, where it is imported again."""
        self.alone.add(exercise.id)
        self.drop()
        self.imports.pop(exercise.id, None)

    @property
    def worker(self) -> Worker | None:
        """The worker in use."""
        return self.slot.worker

    def drop(self) -> None:
        """End the workers."""
        for slot in (self.slot, self.shared, self.twin):
            slot.end()

    def close(self) -> None:
        """End the workers and remove the staged files."""
        self.drop()
        self.submission.close()
