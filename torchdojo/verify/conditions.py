"""Test that the reference gets full marks under every condition that could make a right answer fail.

These are several seeds, one and two threads, every available device, float64 as default dtype, warnings, two runs in a row, and
`torch.no_grad()` if the stub promises that it works there. Checks already alternate between float32 and float64.
"""

from __future__ import annotations

from typing import Any

from torchdojo.course.exercise import Exercise
from torchdojo.explain.records import record_of
from torchdojo.grading.checks import Check
from torchdojo.judge.oracle import Oracle, observe
from torchdojo.judge.session import Session
from torchdojo.judge.verdict import compare_as
from torchdojo.verify import agreement
from torchdojo.verify.bench import Bench
from torchdojo.verify.findings import FINE
from torchdojo.wire.outcome import Outcome
from torchdojo.wire.requests import Ambient
from torchdojo.worker import run

SLOWEST_SECONDS = 3
AS_GRADED = "as it is graded"
NO_GRAD: Ambient = {"no_grad": True}
DOUBLE: Ambient = {"default_dtype": "float64"}


def prove_reference(bench: Bench) -> None:
    """The reference gets full marks, without warnings, under every condition."""
    with bench.session() as session:
        _full_marks(bench, session, AS_GRADED)
        bench.normal_seconds = {name: verdict.seconds for (_, name), verdict in session.verdicts.items()}
        if bench.settings.quick or not bench.report.conditions[AS_GRADED]:
            return
        session.verdicts.clear()
        _full_marks(bench, session, "a second time in the same process")
        _say_what_is_slow(bench, {name: verdict.seconds for (_, name), verdict in session.verdicts.items()})
    with bench.session(oracle=bench.seeded(1), ambient={"threads": 2}) as session:
        _full_marks(bench, session, "with seed 1 and two threads")
    with Elsewhere(bench, Oracle(2, ambient=DOUBLE), DOUBLE) as session:
        applicable = [c for c in bench.checks if session.applies(c)]
        _full_marks(bench, session, "with seed 2 and float64 as default dtype", applicable)
    for device in bench.devices[1:]:
        with bench.session(oracle=Oracle(2, devices=[device])) as session:
            movable = [c for c in bench.checks if c.devices]
            _full_marks(bench, session, f"with seed 2 and every input on {device}", movable)
    if agreement.promises_no_grad(bench.exercise.stub.read_text(encoding="utf-8")):
        with Elsewhere(bench, bench.oracle, NO_GRAD) as session:
            applicable = [c for c in bench.checks if session.applies(c)]
            _full_marks(bench, session, "under torch.no_grad()", applicable)


def _full_marks(bench: Bench, session: Session, condition: str, checks: list[Check] | None = None) -> None:
    report, names = bench.report, bench.names
    report.conditions[condition] = True
    bench.beat(f"{names['grader']}: the reference {condition}")
    for check in bench.checks if checks is None else checks:
        record = record_of(session.result(bench.exercise, check))
        if record.status not in FINE:
            report.conditions[condition] = False
            verb = "breaks on" if record.status == "error" else "rejects"
            report.find(
                "reference",
                f"{names['grader']}: the check {check.name} {verb} the reference {condition}."
                " Correct the check, its oracle or the reference.",
                bench.fault(session, record) if record.status == "error" else bench.gap(record),
            )
            continue
        warned = _warnings(bench.exercise, check, session)
        if warned:
            report.conditions[condition] = False
            report.find(
                "reference",
                f"{names['stub']}: the reference warns in the check {check.name} {condition}. Change it so that it doesn't.",
                warned[0],
            )


def _say_what_is_slow(bench: Bench, again: dict[str, float]) -> None:
    """Find checks that took too long twice; a single time may be due to the machine."""
    for name, seconds in again.items():
        least = min(seconds, bench.normal_seconds.get(name, 0.0))
        if least > SLOWEST_SECONDS:
            problem = f"{bench.names['grader']}: the check {name} takes {least:.0f} seconds on the reference."
            bench.report.find("reference", f"{problem} Make it faster: {SLOWEST_SECONDS} seconds is the limit.")


def _warnings(exercise: Exercise, check: Check, session: Session) -> list[str]:
    """The reference's warnings that the oracle doesn't give."""
    messages = []
    for number, outcome in enumerate(session.verdict(exercise, check).outcomes):
        warned = outcome.warned
        if warned and check.verdict is None:
            also = session.oracle.outcome(exercise, check, number).warned
            warned = [text for text in warned if text not in also]
        messages += warned
    return messages


class Elsewhere(Session):
    """A session on the reference in other surroundings.

    The answer must be the oracle's there, or its usual one: an oracle need not be as careful as a solution. A check whose
    oracle fails in these surroundings does not apply: it needs a graph, say, where nothing is recorded.
    """

    def __init__(self, bench: Bench, oracle: Oracle, ambient: Ambient) -> None:
        super().__init__(bench.zygote, bench.reference, oracle, ambient=ambient)
        self.bench, self.exercise, self.surroundings = bench, bench.exercise, ambient
        self.wanted: dict[Check, list[Outcome]] = {}

    def another(self) -> Elsewhere:
        return Elsewhere(self.bench, self.oracle, self.surroundings)

    def __enter__(self) -> Elsewhere:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def applies(self, check: Check) -> bool:
        """Can this check be run here?"""
        if check.verdict is not None:
            return "no_grad" not in self.surroundings  # it is unknown what its judge expects then
        solution = run.Solution(self.exercise.grading.oracle)
        with run.ambient(self.surroundings):
            self.wanted[check] = [
                observe(check, solution, self.oracle.arguments(check, place), n, device)
                for place, (device, n) in enumerate(self.oracle.runs(check))
            ]
        return not any(outcome.raised is not None for outcome in self.wanted[check])

    def differs(self, exercise: Exercise, check: Check, number: int, outcome: Outcome, facts_alone: bool = False) -> Any:
        if check in self.wanted and compare_as(check, outcome, self.wanted[check][number]) is None:
            return None
        return super().differs(exercise, check, number, outcome, facts_alone)
