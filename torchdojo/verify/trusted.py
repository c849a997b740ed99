"""A session without a worker, for our own wrong solutions: they are observed in this process, which is fast.

For benchmarks and for tests of messages. Never use it for a submission.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from torchdojo.course.exercise import Exercise
from torchdojo.grading.checks import Check
from torchdojo.judge.observations import tidied
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.recheck.suspicion import Source
from torchdojo.judge.result import Verdict
from torchdojo.judge.session import Session
from torchdojo.submission.folder import Submission
from torchdojo.wire import strict as wire
from torchdojo.wire.outcome import Outcome
from torchdojo.wire.requests import Run
from torchdojo.worker import serve

OURS = Source(plain=True, steady=True)  # nothing of it needs a second look


class Trusted(Session):
    """The verdicts and messages of one wrong solution. make: gives its module; name: a name for it that is unique."""

    looks_back = False

    def __init__(self, oracle: Oracle, make: Callable[[], Any], name: str) -> None:
        super().__init__(None, Submission(name, {}), oracle)  # type: ignore[arg-type]
        self.make, self.name = make, name

    def judge(self, exercise: Exercise, check: Check, runs: slice = slice(None)) -> Verdict:
        self.sources[exercise.id] = OURS
        outcomes = self.oracle.variant(exercise, check, self.name, self.make)
        for number, outcome in enumerate(outcomes):
            if outcome.todo:
                return Verdict("todo", example=number, outcomes=outcomes)
            difference = self.differs(exercise, check, number, outcome)
            if difference:
                return Verdict("failed", difference, number, outcomes)
        return Verdict("passed", outcomes=outcomes)

    def explained(self, exercise: Exercise, check: Check, examples: list[bytes]) -> list[Outcome]:
        module = self.make()
        known = sys.modules.get(exercise.stem)
        sys.modules[exercise.stem] = module
        written = module.__file__ == str(exercise.reference)  # otherwise an edited reference, a text of its own
        loaded = serve.Loaded(module, None, str(exercise.variants_file) if written else module.__file__)
        request = Run(exercise.id, check.name, examples, watch=list(check.rules), explain=True)
        try:
            packed = serve.run_examples(loaded, check.function, request)
        finally:
            if known is not None:
                sys.modules[exercise.stem] = known
        return [tidied(Outcome.of(wire.decode(p["seen"]))) for p in packed]
