"""Wrong programs that may explain a wrong answer: the known mistakes of an exercise, and what each answers, computed once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from torchdojo.course.exercise import Exercise
from torchdojo.course.trusted import import_trusted
from torchdojo.explain import outcomes
from torchdojo.explain.sketch import sketch
from torchdojo.grading.checks import Check
from torchdojo.judge.compare import ANSWER, part_of
from torchdojo.judge.same import same as same_outcome
from torchdojo.variants import Variant
from torchdojo.wire.outcome import Outcome

if TYPE_CHECKING:
    from torchdojo.judge.oracle import Oracle
    from torchdojo.judge.session import Session


def programs(exercise: Exercise) -> list[Variant]:
    """The wrong programs of an exercise, likeliest first; none without its reference."""
    return [v for v in exercise.variants if v.kind == "mistake"] if exercise.reference.exists() else []


def overlaid(exercise: Exercise, variant: Variant) -> Any:
    """The reference with the mistake in it."""
    module = import_trusted(exercise.reference, exercise.stem)  # a copy: the rest of the module must call the replacements
    variant.put_over(module)
    return module


def outcomes_of(oracle: Oracle, exercise: Exercise, check: Check, variant: Variant) -> Sequence[Outcome]:
    """What the mistake does on each example of a check."""
    return oracle.variant(exercise, check, variant.name, lambda: overlaid(exercise, variant))


def answered(oracle: Oracle, exercise: Exercise, check: Check, variant: Variant, number: int, part: int | None = None) -> bytes:
    """The sketch of what the mistake does in one run, looked up where it is known. part: see `Difference`."""
    name = f"mistake {variant.name} {check.name} {number}{'' if part is None else f' part {part}'}"
    made = lambda: sketch(part_of(outcomes_of(oracle, exercise, check, variant)[number], part), check).packed()  # noqa: E731
    return outcomes.table(oracle, exercise).get(name, made)


def fails(session: Session, exercise: Exercise, check: Check, variant: Variant) -> bool:
    """Does the mistake fail this check? (Judged like a submission, from its outcomes on the trusted side.)"""

    def judged() -> bytes:
        runs = outcomes_of(session.oracle, exercise, check, variant)
        return b"fails" * any(session.differs(exercise, check, n, outcome) is not None for n, outcome in enumerate(runs))

    return bool(outcomes.table(session.oracle, exercise).get(f"mistake {variant.name} {check.name} fails", judged))


def prepare(session: Session, exercise: Exercise) -> None:
    """Compute what explanations look up: what each mistake answers in every run, and which checks it fails."""
    for variant in programs(exercise):
        for check in exercise.grading.checks:
            fails(session, exercise, check, variant)
            for number in range(len(session.oracle.runs(check))):
                for part in (None, ANSWER) if check.beside else (None,):
                    answered(session.oracle, exercise, check, variant, number, part)
    outcomes.table(session.oracle, exercise).get(outcomes.READY, lambda: b"")


def same(got: Sequence[Outcome], mistake: Sequence[Outcome], check: Check) -> bool:
    """Do two lists of outcomes agree, errors and side effects included?"""
    return len(got) == len(mistake) and all(same_outcome(g, m, check) for g, m in zip(got, mistake, strict=True))
