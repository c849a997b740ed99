"""What the proofs of one exercise share: its files, sessions on any solution, oracles by seed, the report."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from torchdojo.course.exercise import Exercise
from torchdojo.explain.labels import lay_out
from torchdojo.grading.checks import Check
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.record import CheckRecord
from torchdojo.judge.session import Session
from torchdojo.sandbox.devices import at_hand
from torchdojo.sandbox.linux import Zygote
from torchdojo.submission.folder import Submission, stage_reference
from torchdojo.verify.findings import Report, Settings, Wrong
from torchdojo.verify.visible import Visible


@dataclass
class Bench:
    """The exercise that is being verified. beat: is called with each next step, so that a hang can be noticed."""

    exercise: Exercise
    zygote: Zygote
    visible: Visible
    settings: Settings
    report: Report
    oracles: dict[int, Oracle] = field(default_factory=dict)
    beat: Callable[[str], None] = lambda what: None
    normal_seconds: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.reference = stage_reference([self.exercise], self.exercise.root)

    def seeded(self, seed: int) -> Oracle:
        """The oracle for a seed; one for all proofs."""
        if seed not in self.oracles:
            self.oracles[seed] = Oracle(seed, devices=self.devices)
        return self.oracles[seed]

    @functools.cached_property
    def devices(self) -> list[str]:
        """The devices to run on, the CPU first."""
        return at_hand(self.settings.devices)

    @property
    def oracle(self) -> Oracle:
        """The oracle that grades."""
        return self.seeded(0)

    @property
    def checks(self) -> list[Check]:
        return self.exercise.grading.checks

    @contextlib.contextmanager
    def session(self, submission: Submission | None = None, oracle: Oracle | None = None, **options: Any) -> Iterator[Session]:
        """A session on the reference, or on another submission, in its own worker."""
        session = Session(self.zygote, submission or self.reference, oracle or self.oracle, **options)
        try:
            yield session
        finally:
            session.close()

    @staticmethod
    def fault(session: Session, record: CheckRecord) -> str:
        """What to show of a check that broke: of an author's error its sentence, else the whole traceback."""
        if not session.faults:
            return record.feedback
        fault = session.faults.pop()
        return fault.sentence or fault.text

    @staticmethod
    def gap(record: CheckRecord) -> str:
        """What to show of a check that rejects the reference: no cause, for causes are read off the reference."""
        return lay_out({k: v for k, v in record.parts.items() if k != "cause"}) if record.cause else record.feedback

    @property
    def names(self) -> dict[str, str]:
        """The names of the exercise's files, for sentences."""
        e = self.exercise
        return {"stub": e.stub.name, "test": e.test.name, "grader": e.grader.name, "variants": e.variants_file.name}

    def visible_tests_reject(self, solution: dict[str, str], *, patient: bool = False) -> bool:
        """Do the visible tests reject a wrong solution: a `source`, or a `variant` of the file `variants`?

        One that doesn't end is rejected. patient: give it a minute, so that a busy machine isn't taken for that.
        """
        paths = {"test": str(self.exercise.test), "reference": str(self.exercise.reference)}
        answer = self.visible.ask("patient tests" if patient else "tests", **paths, **solution)
        return answer is None or answer["caught_by"] is not None

    def ask_visible_tests(self, wrong: Wrong, **solution: str) -> None:
        """Note whether the visible tests catch a wrong solution, for information."""
        if not self.settings.quick and self.exercise.test.exists():
            wrong.seen = self.visible_tests_reject(solution)
