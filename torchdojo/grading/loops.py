"""Does the work grow with the sizes? For rules that forbid a Python loop, whatever it runs over."""

from __future__ import annotations

from collections.abc import Sequence

MOST_STEPS = 1500  # instructions of Python in one call; whole-tensor solutions take less than a tenth

Work = tuple[int, int]  # operations of PyTorch, instructions of Python


def loop_in(few: Work, many: Sequence[Work]) -> str:
    """Why there must be a Python loop, or ''. few: the work for small sizes; many: for the same sizes, one of them larger each.

    Work that only looks constant, because the small sizes are given as much to do, is too much at all of them.
    """
    if max(operations for operations, _ in many) > few[0]:
        return "more PyTorch operations ran"
    if max(steps for _, steps in many) > few[1]:
        return "Python took more steps"
    most = max(steps for _, steps in (few, *many))
    return f"Python took {most} steps" if most > MOST_STEPS else ""
