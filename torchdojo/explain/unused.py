"""An argument that makes no difference: with another value the check sees the same, where the right answer changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from torchdojo.explain.call import AUTOGRAD
from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.evidence import Evidence
from torchdojo.judge.compare import ANSWER, compare, part_of
from torchdojo.wire.outcome import CallNote, Outcome

if TYPE_CHECKING:
    from torchdojo.judge.session import Session

RUNGS = ("shape", "finite", "value")


def unused(session: Session, e: Evidence) -> Cause | None:
    """The arguments by their names in the stub, each tried with one other value in the input that failed."""
    if e.rung not in RUNGS or not e.is_compared or e.check.random:
        return None
    device, number = e.oracle.runs(e.check)[e.verdict.example]
    given = e.oracle.arguments(e.check, e.verdict.example)
    part = ANSWER if e.check.beside else None
    right, mine = e.wants[e.verdict.example], e.part.outcomes[e.verdict.example].value
    found = []
    for name in sorted(e.known & given.keys()):
        other = _other(given[name], [e.oracle.arguments(e.check, n)[name] for n in range(len(e.oracle.runs(e.check)))])
        example = given | {name: other}
        supposed = e.told_by.supposed(e.exercise, e.check, example, number, device) if other is not None else Outcome()
        if other is None or supposed.raised is not None or compare(supposed.value, right, e.check.tolerance) is None:
            continue
        outcomes = session.explained(e.exercise, e.check, [e.oracle.packed(example, number, device)])
        if not outcomes or outcomes[0].raised is not None or name not in _taken(outcomes[0].calls):
            continue
        if compare(part_of(outcomes[0], part).value, mine, e.check.tolerance) is None:
            found.append(f"`{name}`")
    names = " and ".join(filter(None, (", ".join(found[:-1]), *found[-1:])))
    sentence = f"{names} {'makes' if len(found) == 1 else 'make'} no difference in this check: with another value the same comes back, but the right answer changes."
    return Cause(Kind.UNUSED, sentence) if found else None


def _taken(calls: list[CallNote]) -> set[str]:
    """The parameters of the function that the check called last, or of the class and its methods."""
    own = [call for call in calls if call.name not in AUTOGRAD]
    return {name for call in own if call.name == own[-1].name for name in call.names}


def _other(value: Any, drawn: list[Any]) -> Any:
    """Another value that is as valid: of floating-point numbers others, else one of another input; None if there is none."""
    if isinstance(value, torch.Tensor):
        if not value.is_floating_point():
            return None  # labels, masks, positions: not every number is valid, and sums don't see their order
        added = torch.arange(1, value.numel() + 1, device=value.device).reshape(value.shape) / 8
        return (value.detach() + added.to(value.dtype)).requires_grad_(value.requires_grad)
    plain = (bool, int, float, str)
    return next((v for v in drawn if type(v) is type(value) and isinstance(v, plain) and v != value), None)
