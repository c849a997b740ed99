"""Name a known mistake that a wrong answer shows beside others.

Two mistakes in one function are normal, and then neither explains every check. A mistake is named in a check where it gives exactly the
submission's result for the input that is shown. It must do so in two failed checks at least, for several wrong inputs in all, and with numbers that no
other mistake gives by chance. Nothing may speak against it: wherever it is wrong, in every check, the submission is wrong as well.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import torch

from torchdojo.explain import mistakes
from torchdojo.explain.memo import remembered
from torchdojo.explain.mistake_text import Named
from torchdojo.explain.pairs import pair_of
from torchdojo.explain.rules.answers import leaves
from torchdojo.explain.sketch import Sketch, sketch
from torchdojo.explain.symptoms import bare
from torchdojo.judge.compare import part_of

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise
    from torchdojo.grading.checks import Check
    from torchdojo.judge.session import Session
    from torchdojo.variants import Variant

NUMBERS, DIFFERENT = 8, 4  # a mistake has to explain so many wrong numbers of a check, so many of them different
CHECKS = 2  # failed checks in which it explains the input that is shown: of one check alone, some mistake is told too easily
SEVERAL = 3  # wrong inputs in all; or checks that it explains wholly, whatever they return


def named(session: Session, exercise: Exercise, check: Check, without: Collection[str] = ()) -> Named | None:
    """The mistake, or None. without: mistakes to leave out."""
    verdict = session.verdict(exercise, check)
    if verdict.difference is None or not verdict.outcomes or not exercise.reference.exists():
        return None
    variants = [v for v in exercise.variants if v.kind == "mistake" and v.name not in without]
    scores = {v.name: _score(session, exercise, check, v) for v in variants}
    best = max(scores.values(), default=(0, 0))
    likeliest = [v for v in variants if scores[v.name] == best]
    if not best[0] or len({v.sentence for v in likeliest}) != 1 or any(_explains_all(session, exercise, v) for v in variants):
        return None
    return Named((likeliest[0],), beside=best[0] < len(_wrong(session, exercise, check)))


def _score(session: Session, exercise: Exercise, check: Check, variant: Variant) -> tuple[int, int]:
    """How many wrong runs of the check the mistake explains, and how many of the exercise; 0 where it isn't the mistake, or may not be."""
    if not _explains_shown(session, exercise, check, variant):  # most mistakes end here, and need not be run on the other inputs
        return 0, 0
    here = _explained(session, exercise, check, variant)
    failed = [c for c in exercise.grading.checks if session.verdict(exercise, c).status == "failed" and session.verdict(exercise, c).outcomes]
    shown = [c for c in failed if _explains_shown(session, exercise, c, variant)]
    whole = [c for c in shown if mistakes.agrees(session, exercise, c, variant)]  # right answers, too
    in_all = sum(len(_explained(session, exercise, c, variant)) for c in failed)
    several = len(shown) >= CHECKS and in_all >= SEVERAL and _is_telling(session, exercise, check, here)
    if not several and not (check in whole and len(whole) >= SEVERAL):
        return 0, 0
    return (0, 0) if _contradicted(session, exercise, variant) else (len(here), in_all)


def _is_telling(session: Session, exercise: Exercise, check: Check, runs: frozenset[int]) -> bool:
    """Do so many wrong numbers agree that it is no chance? Other mistakes make nan, None, an error or the wrong one of two answers as well."""
    numbers: list[float] = []
    _, part = mistakes.observed(session, exercise, check)
    for n in runs:
        right = dict(leaves(part_of(session.oracle.outcome(exercise, check, n), part).value)) if _is_compared(exercise, check) else {}
        for path, got in leaves(part_of(session.verdict(exercise, check).outcomes[n], part).value):
            numbers += _wrong_numbers(got, right.get(path))
    return len(numbers) >= NUMBERS and (len(set(numbers)) >= DIFFERENT or not _is_compared(exercise, check))


def _wrong_numbers(got: Any, right: Any) -> list[float]:
    """The finite numbers of a leaf that are not as they should be; all of them where its shape is wrong, or nobody knows what is right."""
    pair = pair_of(bare(got), bare(right), {}) if right is not None else None
    if pair is not None:
        return [] if pair.kind == "bool" else pair.got[~torch.isclose(pair.got, pair.want) & pair.got.isfinite()].tolist()
    alone = pair_of(bare(got), bare(got), {})
    return [] if alone is None or alone.kind == "bool" else alone.got[alone.got.isfinite()].tolist()


def _is_compared(exercise: Exercise, check: Check) -> bool:
    """Is there a right answer for each input?"""
    return exercise.grading.oracle is not None and check.verdict is None


@remembered
def _wrong(session: Session, exercise: Exercise, check: Check) -> frozenset[int]:
    """The runs of a check that go wrong."""
    outcomes = session.verdict(exercise, check).outcomes
    return frozenset(n for n, outcome in enumerate(outcomes) if session.differs(exercise, check, n, outcome) is not None)


def _right(session: Session, exercise: Exercise, check: Check, number: int, part: int | None) -> Sketch:
    return sketch(part_of(session.oracle.outcome(exercise, check, number), part), check)


def _explains_shown(session: Session, exercise: Exercise, check: Check, variant: Variant) -> bool:
    mine, part = mistakes.observed(session, exercise, check)
    shown = session.verdict(exercise, check).example
    return mine[shown].agrees(mistakes.answered(session.oracle, exercise, check, variant, shown, part))


def _explained(session: Session, exercise: Exercise, check: Check, variant: Variant) -> frozenset[int]:
    """The wrong runs in which the mistake gives the same result as the submission."""
    mine, part = mistakes.observed(session, exercise, check)
    wrong = _wrong(session, exercise, check)
    if not _is_compared(exercise, check):  # what a judge says of an answer may leave much of it open
        return wrong if mistakes.agrees(session, exercise, check, variant) else frozenset()
    return frozenset(n for n in wrong if mine[n].agrees(mistakes.answered(session.oracle, exercise, check, variant, n, part)))


def _contradicted(session: Session, exercise: Exercise, variant: Variant) -> bool:
    """Is the submission right somewhere where the mistake is wrong?"""
    for check in exercise.grading.checks:
        verdict = session.verdict(exercise, check)
        if not mistakes.fails(session, exercise, check, variant) or verdict.status == "skipped":
            continue
        if verdict.status == "passed":
            return True
        if verdict.status != "failed" or not _is_compared(exercise, check):
            continue
        mine, part = mistakes.observed(session, exercise, check)
        for number in set(range(len(mine))) - _wrong(session, exercise, check):
            theirs = mistakes.answered(session.oracle, exercise, check, variant, number, part)
            if not _right(session, exercise, check, number, part).agrees(theirs):
                return True
    return False


def _explains_all(session: Session, exercise: Exercise, variant: Variant) -> bool:
    """Does the mistake alone explain all that goes wrong? Then it was named, or there is a reason why it was not."""
    failed = [c for c in exercise.grading.checks if session.verdict(exercise, c).status not in ("passed", "skipped")]
    return all(session.verdict(exercise, c).outcomes and mistakes.agrees(session, exercise, c, variant) for c in failed)
