"""Recognize common slips from the answer alone: the answer, the wanted answer, and the arguments.

Needs no secrets, so it serves the visible tests too. A symptom is named only when it fits every example at hand and at
least one of them is wrong; with a choice of several, the first in the list that fits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.pairs import Pair, pair_of
from torchdojo.explain.rules import facts_by_input, kinds, numerics, shapes, values
from torchdojo.explain.rules.facts_by_input import Case
from torchdojo.judge.compare import At, Difference, dtype_of
from torchdojo.wire.outcome import Outcome
from torchdojo.wire.strict import SeenTensor

if TYPE_CHECKING:
    pass


def leaf(value: Any, at: At) -> Any:
    """The part of nested containers at a place, as a tensor or plain value; None when it is not there."""
    for step in at:
        if isinstance(value, dict):
            value = next((part for key, part in value.items() if str(key) == step), None)
        elif isinstance(value, (list, tuple)) and not isinstance(value, torch.Size) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def pair_of_case(case: Case) -> Pair | None:
    got, want, given = case
    return pair_of(bare(got), bare(want), given)


def both_tensors(cases: list[Case]) -> list[tuple[SeenTensor, SeenTensor, dict[str, Any]]]:
    return [(got, want, given) for got, want, given in cases if isinstance(got, SeenTensor) and isinstance(want, SeenTensor)]


def bare(value: Any) -> Any:
    return value.data if isinstance(value, SeenTensor) else value


def symptom(difference: Difference, cases: list[Case]) -> Cause | None:
    """The likely cause of a difference, from the answers and wanted answers at one leaf over several examples."""
    fact = facts_by_input.cause(difference.path, cases)
    if fact is not None:
        return fact
    if difference.rung == "type":
        return kinds.of_type(difference)
    if difference.rung == "shape":
        tensors = [(g.data, w.data, a) for g, w, a in both_tensors(cases)]
        return shapes.cause(tensors)
    if difference.rung == "dtype" and isinstance(difference.want, SeenTensor) and difference.want.is_array:
        return None  # NumPy has other defaults
    if difference.rung == "dtype":
        got, want = dtype_of(difference.got), dtype_of(difference.want)
        return numerics.of_dtype(got, want, [given for g, w, given in cases if (dtype_of(g), dtype_of(w)) == (got, want)])
    if difference.rung == "device":
        return _of_device(difference)
    if difference.rung == "finite":
        return numerics.of_infinity([(g.data, w.data, a) for g, w, a in both_tensors(cases)])
    if difference.rung == "value":
        told = numerics.of_given_infinity([(g.data, w.data, a) for g, w, a in both_tensors(cases)])
        pairs = [p for c in cases if (p := pair_of_case(c))]
        return told or values.cause(pairs)
    return None


def _of_device(difference: Difference) -> Cause | None:
    said = "It is on the CPU: create new tensors on the input's device (device=x.device), and move others there with .to(device)."
    return Cause(Kind.DEVICE, said) if difference.got.device == "cpu" else None


EFFECTS = {
    "changed": (Kind.CHANGED, "A method with a trailing underscore, += or an assignment to x[...] writes into the tensor itself: create a new one."),
    "marked": (Kind.MARKED, "The caller's own tensor now requires grad, or has a .grad: work on x.detach().clone(), or use torch.autograd.grad."),
    "shares": (Kind.SHARES, "You returned the tensor itself, or a view of it: reshape, to and contiguous copy only if they must. clone() always copies."),
}
SETTINGS = {
    "gradient tracking": "The grad mode is not what it was before the call: `with torch.no_grad():` and `with torch.enable_grad():` restore the previous mode.",
    "default dtype": "The default dtype was changed, for the whole program: pass dtype= when you create a tensor.",
}


def of_one(difference: Difference, got: Any, want: Any, given: dict[str, Any]) -> Cause | None:
    """The cause of a difference that was seen once, as in a visible test; given: the values at hand, by name."""
    return symptom(difference, [(got, want, given)])


def of_two_answers(difference: Difference, chance_allowed: bool = False) -> Cause | None:
    """Why a second call with the same input gave something else."""
    again, first = difference.got, difference.want
    if not isinstance(again, Outcome) or not isinstance(first, Outcome):
        return None
    if again.changed:
        return Cause(Kind.KEPT, "Every call returns the same memory: create a new result each time, or return a clone() of the stored one.")
    if chance_allowed:
        said = "The result depends on more than the input and torch's global random state: on other random numbers (your own generator, Python's random, NumPy), or on something kept from call to call."
        return Cause(Kind.RANDOM, said)
    if first.random:
        return Cause(Kind.RANDOM, "Your code draws from PyTorch's global generator, but the answer should depend on the arguments alone. If one of them is a generator, draw from that one.")
    said = "Something is kept from call to call: a default argument like [], a global variable, an attribute, a .grad that is not cleared."
    return Cause(Kind.STATE, f"{said} Or your code draws random numbers that torch's seed doesn't control, or restores the random state afterward.")  # a state put back hides the draw
