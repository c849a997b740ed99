"""Note parameters around a call: their numbers, gradients, and what an optimizer keeps for each. Used only to explain a failure."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch

from torchdojo.wire.forms import ParamData

MOST_LEAVES = 8
MOST_ELEMENTS = 64
MOST_KEPT = 6  # tensors and numbers that are kept for one parameter


def tensors_given(values: Any, most: int = 20) -> Iterator[torch.Tensor]:
    """The tensors among arguments, also inside lists, tuples and dicts, in order; of each container the first `most` entries."""
    if isinstance(values, torch.Tensor):
        yield values
    elif type(values) in (list, tuple, dict):
        for one in list(values.values() if type(values) is dict else values)[:most]:
            yield from tensors_given(one, most)


def is_leaf(t: torch.Tensor) -> bool:
    """A plain tensor that requires grad and has no history: what an optimizer moves."""
    return type(t) in (torch.Tensor, torch.nn.Parameter) and t.requires_grad and t.is_leaf


def leaves_of(values: Any) -> list[torch.Tensor]:
    """The small leaves among arguments; none where there are many."""
    leaves = [t for t in tensors_given(values) if is_leaf(t)]
    return leaves if len(leaves) <= MOST_LEAVES and all(t.numel() <= MOST_ELEMENTS for t in leaves) else []


def noted(leaves: list[torch.Tensor], thing: Any, sketch: Callable[[Any], Any]) -> list[ParamData]:
    """For each leaf its "value", its "grad", what `thing` has "kept" for it, by name."""
    notes: list[ParamData] = []
    for place, p in enumerate(leaves):
        kept = {name: sketch(one) for name, one in _kept(thing, leaves, place).items()}
        notes.append({"value": sketch(p), "grad": sketch(p.grad), "kept": kept})
    return notes


def numbers(thing: Any) -> dict[str, float | tuple[float, float]]:
    """The plain numbers, and pairs of them, among the attributes of an object."""
    with contextlib.suppress(Exception):
        return {k: v for k, v in list(vars(thing).items())[:20] if type(k) is str and (type(v) in (int, float) or _is_pair(v))}
    return {}


def _is_pair(value: Any) -> bool:
    return type(value) is tuple and len(value) == 2 and all(type(one) in (int, float) for one in value)


def _kept(thing: Any, leaves: list[torch.Tensor], place: int) -> dict[str, float | torch.Tensor]:
    parts: dict[str, float | torch.Tensor] = {}
    with contextlib.suppress(Exception):  # the object is the learner's, and may answer anything
        for name, value in list(vars(thing).items())[:20]:
            for step, one in _of_leaf(value, leaves, place):
                if one is not leaves[place] and _is_small(one):
                    parts[f"{name}{step}"] = one
    return dict(list(parts.items())[:MOST_KEPT])


def _is_small(value: Any) -> bool:
    return type(value) in (int, float) or (type(value) is torch.Tensor and value.numel() <= MOST_ELEMENTS)


def _of_leaf(value: Any, leaves: list[torch.Tensor], place: int) -> Iterator[tuple[str, Any]]:
    """The entry of an attribute for a leaf: at its position in a list, or under it, its id or its position in a dict."""
    p = leaves[place]
    if isinstance(value, list) and len(value) == len(leaves):
        yield from _entries(f"[{place}]", value[place])
    elif isinstance(value, dict):
        for key, step in ((p, "[p]"), (id(p), "[id(p)]"), (place, f"[{place}]")):
            if key in value:
                yield from _entries(step, value[key])
                return


def _entries(step: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        yield from ((f"{step}[{key!r}]", one) for key, one in value.items() if type(key) is str)
    else:
        yield step, value
