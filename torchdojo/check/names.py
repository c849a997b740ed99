"""What people call the subjects of exercises, as their `public_` files say."""

from __future__ import annotations

from torchdojo.check.run import public_of
from torchdojo.course.exercise import Dojo, Exercise


def described(dojo: Dojo) -> list[tuple[Exercise, tuple[str, ...], tuple[str, ...]]]:
    """(exercise, names, conventions) of each exercise that has such a file."""
    found = [(exercise, public_of(exercise)) for exercise in dojo.graded() if exercise.public.exists()]
    return [(exercise, public.called, tuple(public.conventions)) for exercise, public in found]


def called(dojo: Dojo) -> dict[str, Exercise]:
    """The exercise behind each name."""
    return {name: exercise for exercise, names, _ in described(dojo) for name in names}
