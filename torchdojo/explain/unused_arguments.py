"""An argument that makes no difference: with other values the check sees the same, where the right answer changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from torchdojo.explain.call import AUTOGRAD
from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.evidence import Evidence
from torchdojo.judge.compare import ANSWER, compare, part_of
from torchdojo.wire.outcome import CallNote

if TYPE_CHECKING:
    from torchdojo.judge.session import Session

RUNGS = ("shape", "finite", "value")


def unused(session: Session, e: Evidence) -> Cause | None:
    """The arguments by their names in the stub, each tried with other values in the input that failed."""
    if e.rung not in RUNGS or not e.is_compared or e.check.random:
        return None
    device, number = e.oracle.runs(e.check)[e.verdict.example]
    given = e.oracle.arguments(e.check, e.verdict.example)
    part = ANSWER if e.check.beside else None
    right, mine = e.wants[e.verdict.example], e.part.outcomes[e.verdict.example].value
    found = []
    for name in sorted(e.known & given.keys()):
        others = _others(given[name], [e.oracle.arguments(e.check, n)[name] for n in range(len(e.oracle.runs(e.check)))])
        examples = [given | {name: other} for other in others]
        supposed = [e.told_by.supposed(e.exercise, e.check, example, number, device) for example in examples]
        if not supposed or any(s.raised is not None or compare(s.value, right, e.check.tolerance) is None for s in supposed):
            continue
        outcomes = session.explained(e.exercise, e.check, [e.oracle.packed(example, number, device) for example in examples])
        if len(outcomes) < len(examples) or any(o.raised is not None or name not in _taken(o.calls) for o in outcomes):
            continue
        if all(compare(part_of(o, part).value, mine, e.check.tolerance) is None for o in outcomes):
            found.append(f"`{name}`")
    names = " or ".join(filter(None, (", ".join(found[:-1]), *found[-1:])))
    sentence = f"With another value of {names} the same comes back in this check, but the right answer changes."
    return Cause(Kind.UNUSED, sentence) if found else None


def _taken(calls: list[CallNote]) -> set[str]:
    """The parameters of the function that the check called last, or of the class and its methods."""
    own = [call for call in calls if call.name not in AUTOGRAD]
    return {name for call in own if call.name == own[-1].name for name in call.names}


def _others(value: Any, drawn: list[Any]) -> list[Any]:
    """Two other values that are as valid: of floating-point numbers larger and smaller ones, else those of other inputs."""
    if isinstance(value, torch.Tensor):
        if not value.is_floating_point():
            return []  # labels, masks, positions: not every number is valid, and sums don't see their order
        added = torch.arange(1, value.numel() + 1, device=value.device).reshape(value.shape) / 8
        changed = (value.detach() + added.to(value.dtype), value.detach() / 4)
        return [v.requires_grad_(value.requires_grad) for v in changed]
    plain = (bool, int, float, str)
    return [*dict.fromkeys(v for v in drawn if type(v) is type(value) and isinstance(v, plain) and v != value)][:2]
