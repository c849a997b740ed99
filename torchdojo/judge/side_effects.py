"""Compare whole outcomes: errors, answers, and what a submission did besides returning a value."""

from __future__ import annotations

from torchdojo.judge.compare import Difference, compare
from torchdojo.judge.raised import raised_text
from torchdojo.wire.outcome import Outcome


def compare_outcomes(
    got: Outcome,
    want: Outcome,
    *,
    tolerance: tuple[float, float] | None = None,
    mutates: tuple[str, ...] | None = None,
    aliasing: str = "none",
    device: str = "cpu",
) -> Difference | None:
    """The first difference between the outcomes of submission and oracle for one example, or None.

    mutates: arguments that may change (None: those the oracle changed).
    """
    if got.raised is not None:
        return Difference("runs", (), raised_text(got.raised), got.raised)
    difference = compare(got.value, want.value, tolerance, device=device)
    if difference:
        return difference
    return side_effects(got, want, mutates=mutates, aliasing=aliasing)


def side_effects(
    got: Outcome, want: Outcome, *, mutates: tuple[str, ...] | None = None, aliasing: str = "none"
) -> Difference | None:
    """What a submission did besides returning a value, where the oracle did not."""
    allowed = set(want.changed if mutates is None else mutates)
    changed = [name for name in got.changed if name not in allowed]
    if changed:
        names = " and ".join(changed)
        one = f"the argument {names} was changed in place; it must stay as it was"
        several = f"the arguments {names} were changed in place; they must stay as they were"
        return Difference("changed", tuple(changed), one if len(changed) == 1 else several, changed)
    marked = [name for name in got.marked if name not in want.marked]
    if marked:
        names = " and ".join(marked)
        subject = f"the argument {names} was" if len(marked) == 1 else f"the arguments {names} were"
        text = f"{subject} left requiring grad, or with a .grad that {'it' if len(marked) == 1 else 'they'} did not have"
        return Difference("marked", tuple(marked), text, marked)
    if aliasing == "none":
        fine = {tuple(pair) for pair in want.shares}
        for pair in got.shares:
            if tuple(pair) not in fine:
                what = f"{pair[0]} shares" if pair[0] else "the result shares"
                text = f"{what} memory with the argument {pair[1]}: changing one would change the other"
                return Difference("shares", (pair[0],), text, pair)
    state = [name for name in got.state if name not in want.state]
    if state:
        return Difference("state", (state[0],), f"a global setting was left changed: {', '.join(state)}", state)
    return None
