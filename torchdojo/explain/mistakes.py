"""Name the known mistake that a wrong answer behaves like.

A mistake is named only when the learner's observations equal the mistake's on every example of every check that the
mistake fails. A wrong diagnosis is worse than none: two mistakes that explain equally much are both left unsaid.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from torchdojo.course.exercise import Exercise
from torchdojo.course.trusted import import_trusted
from torchdojo.explain import outcomes
from torchdojo.explain.memo import remembered
from torchdojo.explain.mistake_text import Named
from torchdojo.explain.sketch import Sketch, sketch
from torchdojo.grading.checks import Check
from torchdojo.judge.compare import ANSWER, part_of
from torchdojo.judge.same import same as same_outcome
from torchdojo.variants import Variant
from torchdojo.wire.outcome import Outcome

if TYPE_CHECKING:
    from torchdojo.judge.oracle import Oracle
    from torchdojo.judge.session import Session


def named(session: Session, exercise: Exercise, check: Check, without: Collection[str] = ()) -> Named | None:
    """The one known mistake that the submission behaves like, or None. without: mistakes to leave out.

    Every check that fails must be explained, by this mistake or by another one that the submission behaves like as well:
    what nobody has seen before may look like a known mistake in one check. Of a quiz only the answers that were given count.
    """
    if not exercise.variants:
        return None
    explaining = [e for e in _explaining(session, exercise) if e.variant.name not in without]
    fine = ("passed", "skipped", "todo") if hasattr(exercise.reference_module, "ANSWERS") else ("passed", "skipped")
    verdicts = {c.name: session.verdict(exercise, c) for c in exercise.grading.checks}
    failed = {name for name, v in verdicts.items() if v.status not in fine and not memory_given_twice(v)}
    if not failed <= {name for e in explaining for name in e.footprint}:
        return None
    here = [e for e in explaining if check.name in e.seen]
    most = max((len(e.seen) for e in here), default=0)
    best = [e.variant for e in here if len(e.seen) == most]
    return Named((best[0],)) if len({v.sentence for v in best}) == 1 else None


def memory_given_twice(verdict: Any) -> bool:
    """Was each answer right, but a second call wrote into the first one? That has a message of its own."""
    difference = verdict.difference
    return difference is not None and difference.rung == "flaky" and bool(difference.got.changed)


@dataclass(frozen=True)
class Explanation:
    """A mistake whose observations the submission shares: the checks that it fails, and those where both were observed."""

    variant: Variant
    footprint: frozenset[str]
    seen: frozenset[str]


@remembered
def _explaining(session: Session, exercise: Exercise) -> list[Explanation]:
    """The mistakes that agree with the submission on every input of every check that they fail."""
    verdicts = {c: session.verdict(exercise, c) for c in exercise.grading.checks}
    mine = {c: observed(session, exercise, c) for c, v in verdicts.items() if v.status in ("passed", "failed") and v.outcomes}
    failing = [c for c in mine if verdicts[c].status == "failed"]
    found = []
    for variant in exercise.variants:
        if variant.kind != "mistake":
            continue

        def seen_in(check: Check, variant: Variant = variant) -> bool:
            return _agrees(session.oracle, exercise, check, variant, *mine[check])

        if not any(seen_in(check) for check in failing):
            continue  # most mistakes end here, so that the other checks need not be run for them
        footprint = [c for c in exercise.grading.checks if fails(session, exercise, c, variant)]
        seen = [c for c in footprint if c in mine]
        if seen and all(seen_in(check) for check in seen):
            found.append(Explanation(variant, frozenset(c.name for c in footprint), frozenset(c.name for c in seen)))
    return found


def agrees(session: Session, exercise: Exercise, check: Check, variant: Variant) -> bool:
    """Does the mistake do what the submission did, on every run of one check?"""
    return _agrees(session.oracle, exercise, check, variant, *observed(session, exercise, check))


@remembered
def observed(session: Session, exercise: Exercise, check: Check) -> tuple[list[Sketch], int | None]:
    """What was observed in a check, and which part of it: if the answer of (answer, facts) is wrong, the facts are
    not compared."""
    verdict = session.verdict(exercise, check)
    part = ANSWER if verdict.difference is not None and verdict.difference.part == ANSWER else None
    return [sketch(part_of(outcome, part), check) for outcome in verdict.outcomes], part


def _agrees(oracle: Oracle, exercise: Exercise, check: Check, variant: Variant, mine: list[Sketch], part: int | None) -> bool:
    """Does the mistake do what was observed, on every run of the check? part: see `observed`."""
    answers = (answered(oracle, exercise, check, variant, number, part) for number in range(len(mine)))
    return len(mine) == len(oracle.runs(check)) and all(one.agrees(answer) for one, answer in zip(mine, answers, strict=True))


def answered(oracle: Oracle, exercise: Exercise, check: Check, variant: Variant, number: int, part: int | None = None) -> bytes:
    """The sketch of what the mistake does in one run, looked up where it is known. part: see `Difference`."""
    name = f"mistake {variant.name} {check.name} {number}{'' if part is None else f' part {part}'}"
    made = lambda: sketch(part_of(outcomes_of(oracle, exercise, check, variant)[number], part), check).packed()  # noqa: E731
    return outcomes.table(oracle, exercise).get(name, made)


def prepare(session: Session, exercise: Exercise) -> None:
    """Compute what explanations look up: what each mistake answers in every run, and which checks it fails."""
    for variant in (v for v in exercise.variants if v.kind == "mistake"):
        for check in exercise.grading.checks:
            fails(session, exercise, check, variant)
            for number in range(len(session.oracle.runs(check))):
                for part in (None, ANSWER) if check.beside else (None,):
                    answered(session.oracle, exercise, check, variant, number, part)


def fails(session: Session, exercise: Exercise, check: Check, variant: Variant) -> bool:
    """Does the mistake fail this check? (Judged like a submission, from its outcomes on the trusted side.)"""

    def judged() -> bytes:
        runs = outcomes_of(session.oracle, exercise, check, variant)
        return b"fails" * any(session.differs(exercise, check, n, outcome) is not None for n, outcome in enumerate(runs))

    return bool(outcomes.table(session.oracle, exercise).get(f"mistake {variant.name} {check.name} fails", judged))


def outcomes_of(oracle: Oracle, exercise: Exercise, check: Check, variant: Variant) -> Sequence[Outcome]:
    """What the mistake does on each example of a check."""
    return oracle.variant(exercise, check, variant.name, lambda: overlaid(exercise, variant))


def overlaid(exercise: Exercise, variant: Variant) -> Any:
    """The reference with the mistake in it."""
    module = import_trusted(exercise.reference, exercise.stem)  # a copy: the rest of the module must call the replacements
    variant.put_over(module)
    return module


def same(got: Sequence[Outcome], mistake: Sequence[Outcome], check: Check) -> bool:
    """Do two lists of outcomes agree, errors and side effects included?"""
    return len(got) == len(mistake) and all(same_outcome(g, m, check) for g, m in zip(got, mistake, strict=True))
