"""Round points to four decimals so that parts add up to their total.

A share such as a third has no exact decimal form. Rounded one by one, the parts of 50 points can add up to 49.9989. So totals are
rounded, and shared out in ten-thousandths of a point, first over the exercises, then over the checks of each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TypedDict

from torchdojo.common.names import is_bonus
from torchdojo.judge.record import CheckJson, ExerciseJson, RecordJson, exact, number

UNITS = 10_000  # to a point
Points = tuple[Fraction, Fraction]  # score and worth


def rounded(record: RecordJson, factor: Fraction = Fraction(1)) -> RecordJson:
    """The record, its points times a factor, rounded so that checks add up to exercises and these to the totals.

    Full marks stay full, nothing stays nothing, and whole points of an exercise or a check stay whole. Bonus exercises lie beyond
    the maximum, and the factor is not for them.
    """
    bonus = [is_bonus(e["id"]) for e in record["exercises"]]
    factors = [Fraction(1) if extra else factor for extra in bonus]
    checks = [[_points(c, mine) for c in e["checks"]] for e, mine in zip(record["exercises"], factors, strict=True)]
    sums = [_sum(points) for points in checks]
    shown: list[tuple[int, int]] = [(0, 0)] * len(sums)
    for kind in (False, True):
        places = [n for n, extra in enumerate(bonus) if extra is kind]
        whole = _sum([sums[n] for n in places])
        parts = shared([sums[n] for n in places], _units(whole[0]), _units(whole[1]))
        for n, part in zip(places, parts, strict=True):
            shown[n] = part
    exercises: list[ExerciseJson] = []
    for e, own_checks, (score, worth) in zip(record["exercises"], checks, shown, strict=True):
        inner = shared(own_checks, score, worth)
        exercises.append(
            {**e, **_written(score, worth), "checks": [{**c, **_written(*p)} for c, p in zip(e["checks"], inner, strict=True)]}
        )
    most = sum(worth for (_, worth), extra in zip(shown, bonus, strict=True) if not extra)
    return {**record, **_written(sum(score for score, _ in shown), most), "exercises": exercises}


def shared(parts: Sequence[Points], score: int, worth: int) -> list[tuple[int, int]]:
    """Score and worth of each part in units, which add up to these totals.

    Each differs from its exact value by less than a unit, or hardly more. A part with full marks has them in units too.
    """
    full = [n for n, (s, w) in enumerate(parts) if s == w]
    some = [n for n, (s, w) in enumerate(parts) if 0 < s < w]
    none = [n for n, (s, w) in enumerate(parts) if s == 0 < w]
    of_full = min(score, _units(sum((parts[n][1] for n in full), Fraction(0)))) if some else score
    rest = shares([parts[n][1] for n in [*some, *none]], worth - of_full)
    of_some = max(sum(rest[: len(some)]), score - of_full) if none else worth - of_full
    worths = dict(zip(full, shares([parts[n][1] for n in full], of_full), strict=True))
    scores = dict(worths)
    worths |= zip(some, shares([parts[n][1] for n in some], of_some), strict=True)
    worths |= zip(none, shares([parts[n][1] for n in none], worth - of_full - of_some), strict=True)
    scores |= zip(some, shares([parts[n][0] for n in some], score - of_full), strict=True)
    over = sum(max(0, scores[n] - worths[n]) for n in some)
    scores |= {n: min(scores[n], worths[n]) for n in some}
    for n in some:  # a part may be worth less than a unit: the rest goes to other parts
        more = min(over, worths[n] - scores[n])
        scores[n] += more
        over -= more
    return [(scores.get(n, 0), worths[n]) for n in range(len(parts))]


def shares(weights: Sequence[Fraction], total: int) -> list[int]:
    """Whole numbers in proportion to the weights, which add up to the total: rounded down, and what is missing goes to the largest
    remainders, of equal ones to the first."""
    whole = sum(weights, Fraction(0))
    exact_shares = [weight * total / whole if whole else Fraction(0) for weight in weights]
    parts = [math.floor(share) for share in exact_shares]
    order = sorted(range(len(parts)), key=lambda n: (parts[n] - exact_shares[n], n))
    for n in order[: total - sum(parts) if whole else 0]:
        parts[n] += 1
    return parts


def _points(check: CheckJson, factor: Fraction) -> Points:
    """As `rows` reads them."""
    worth = exact(check["max_score"]) * factor
    return (worth if check["status"] == "passed" else min(exact(check["score"]) * factor, worth)), worth


def _sum(parts: Sequence[Points]) -> Points:
    return sum((s for s, _ in parts), Fraction(0)), sum((w for _, w in parts), Fraction(0))


def _units(x: Fraction) -> int:
    return round(exact(number(x)) * UNITS)


class _Written(TypedDict):
    score: float
    max_score: float


def _written(score: int, worth: int) -> _Written:
    return {"score": number(Fraction(score, UNITS)), "max_score": number(Fraction(worth, UNITS))}
