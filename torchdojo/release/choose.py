"""Choose which exercises are released, and how many points each is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from torchdojo.common.errors import UsageError
from torchdojo.common.names import is_bonus
from torchdojo.course.exercise import Dojo, Exercise


def chosen(dojo: Dojo, chapters: Sequence[str], fast_track: bool, before: Sequence[str] = ()) -> list[Exercise]:
    """The exercises to release: of these chapters, of the fast track only when that is asked for.

    chapters: words as `--only` knows them, several in one with commas; none means all the first time, and later what is there.
    before: ids that are released already and stay. Raises UsageError for a word that names nothing, and for no exercise at all.
    """
    words = [w.strip() for word in chapters for w in word.split(",") if w.strip()]
    if not words and not fast_track and before:
        stays = [e for e in dojo.exercises if e.id in before]
        if not stays:
            raise UsageError("your copy no longer has any exercise of that release; name chapters, for example --chapters 03,04")
        return stays
    named = {e.id for word in words for e in dojo.select(word)} if words else {e.id for e in dojo.exercises}
    if fast_track:
        named &= {e.id for e in dojo.exercises if e.facts["fast"]}
        if not named:
            raise UsageError("these chapters have no exercise on the fast track; leave out --fast-track or name other chapters")
    return [e for e in dojo.exercises if e.id in named or e.id in before]


def worth(exercises: Sequence[Exercise], total: int | None) -> dict[str, int | float]:
    """Points of each exercise: those of its hidden checks, or whole numbers in the same proportion, for `total` in all.

    The total is that of the exercises that are no bonus; a bonus exercise gets what one of equal worth has there, or would have.
    Raises UsageError for a total of less than a point each.
    """
    own = {e.id: round(sum(c.points for c in e.grading.checks), 6) if e.grader.exists() else 1 for e in exercises}
    if total is None:
        return {k: int(v) if float(v).is_integer() else v for k, v in own.items()}
    shares = {k: Fraction(v).limit_denominator(1000) for k, v in own.items()}
    core = {k: share for k, share in shares.items() if not is_bonus(k)}
    if total < len(core):
        raise UsageError(f"--points {total} is too few: {len(core)} exercises need at least one point each")
    if not core:
        raise UsageError("--points is the total without bonus exercises, and there is no other exercise; leave it out")
    apportionment = apportioned(core, total)
    equal = {share: apportionment[k] for k, share in core.items()}
    factor = total / sum(core.values())
    return {k: apportionment.get(k) or equal.get(share) or max(1, round(share * factor)) for k, share in shares.items()}


def apportioned(shares: dict[str, Fraction], total: int) -> dict[str, int]:
    """Whole numbers, at least 1 each, in proportion to the shares. Equal shares stay equal, so the sum may fall short of the total.

    Shares are rounded down; what is missing goes to the largest remainders, to all that have the same share or to none.
    """
    whole = sum(shares.values())
    exact = {share: share / whole * total for share in set(shares.values())}
    points_of = {share: max(1, int(points)) for share, points in exact.items()}
    count = Counter(shares.values())
    missing = total - sum(points_of[share] * count[share] for share in points_of)
    for share in sorted(exact, key=lambda share: (int(exact[share]) - exact[share], share)):
        if count[share] <= missing and exact[share] > points_of[share]:
            points_of[share] += 1
            missing -= count[share]
    for share in sorted(points_of, reverse=True):  # many small shares were raised to a point
        while missing < 0 and points_of[share] > 1:
            points_of[share] -= 1
            missing += count[share]
    return {k: points_of[share] for k, share in shares.items()}
