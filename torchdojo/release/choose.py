"""Choose which exercises are released, and how many points each is worth."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from torchdojo.common.errors import UsageError
from torchdojo.common.names import is_bonus
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.judge.record import exact


def chosen(dojo: Dojo, chapters: Sequence[str], fast_track: bool, before: Sequence[str] = ()) -> list[Exercise]:
    """The exercises to release: of these chapters, of the fast track only when that is asked for.

    chapters: words as in `--only`, several in one with commas; none means all the first time, and later those already released.
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
    """Points of each exercise: those of its hidden checks, or in the same proportion for `total` in all.

    They are not rounded, so that a submission gets the same share of the points here as in a class. The total is that of the
    exercises that are no bonus; a bonus exercise gets what one of equal worth has there, or would have. Raises UsageError for a
    total of less than a point each.
    """
    own = {e.id: _own(e) for e in exercises}
    core = [share for e, share in own.items() if not is_bonus(e)]
    if total is not None and total < len(core):
        raise UsageError(f"--points {total} is too few: {len(core)} exercises need at least one point each")
    if total is not None and not core:
        raise UsageError("--points is the total without bonus exercises, and there is no other exercise; leave it out")
    factor = Fraction(1) if total is None else total / sum(core, Fraction(0))
    points = {e: share * factor for e, share in own.items()}
    return {e: int(n) if n.denominator == 1 else float(n) for e, n in points.items()}


def _own(exercise: Exercise) -> Fraction:
    """The points of its hidden checks; 1 without any."""
    return sum((exact(c.points) for c in exercise.grading.checks), Fraction(0)) if exercise.grader.exists() else Fraction(1)
