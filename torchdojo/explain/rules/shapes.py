"""Symptoms in wrong shapes: which axis is missing, extra, swapped or expanded?"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from torchdojo.explain.cause import Cause, Kind


def cause(tensors: list[tuple[torch.Tensor, torch.Tensor, dict[str, Any]]]) -> Cause | None:
    """From (answer, wanted answer, arguments by name) over several examples: the first rule that fits all wrong ones."""
    wrong = [(tuple(g.shape), tuple(w.shape), a) for g, w, a in tensors if g.shape != w.shape and w.numel()]
    if not wrong:
        return None

    def every(test: Callable[[tuple[int, ...], tuple[int, ...]], bool]) -> bool:
        return all(test(g, w) for g, w, _ in wrong)

    if every(lambda g, w: len(g) == len(w) >= 2 and g == (*w[:-2], w[-1], w[-2])):
        return Cause(Kind.TRANSPOSED, "The last two axes are swapped.")
    if every(lambda g, w: tuple(n for n in g if n != 1) == tuple(n for n in w if n != 1)):
        if every(lambda g, w: len(g) < len(w)):
            return Cause(Kind.KEEPDIM, "An axis of size 1 is missing: keepdim=True keeps it, unsqueeze puts one in, and squeeze() removes every one.")
        if every(lambda g, w: len(g) > len(w)):
            return Cause(Kind.KEEPDIM, "There is an extra axis of size 1: keepdim=True, unsqueeze and None in an index, for example, leave one.")
    other = _other_axis(wrong)
    if other:
        return other
    if every(lambda g, w: len(g) == 2 and g[0] == g[1] and w in ((g[0],), (g[0], 1))) and any(g[0] > 1 for g, _, _ in wrong):
        return Cause(Kind.TABLE, "Broadcasting (N, 1) with (N,), or every row with every row, gives an N by N matrix. Pair them one to one.")
    if every(lambda g, w: len(w) == 2 and w[1] == 1 and g in (w[:1], (w[0], w[0]))):
        return Cause(Kind.TABLE, "An axis of size 1 is lost, or became N: broadcasting (N,) with (N, 1) gives an N by N matrix, so keep (N, 1) on both sides.")
    if every(lambda g, w: len(g) > len(w) and g[len(g) - len(w) :] == w):
        return Cause(Kind.UNBROADCAST, "There are extra leading axes: sum over them (or over the batch), or select one entry.")
    listed = any(w == (1,) and w not in [tuple(v.shape) for v in a.values() if isinstance(v, torch.Tensor)] for _, w, a in wrong)  # such as one token
    if not listed and every(lambda g, w: len(g) == len(w) and all(a == b or (b == 1 and a > 1) for a, b in zip(g, w, strict=True))):
        return Cause(Kind.UNBROADCAST, "An axis should have size 1, but is larger, as after broadcasting, or without a reduction along it.")
    if every(lambda g, w: len(g) == len(w) and all(a == b or a == 1 for a, b in zip(g, w, strict=True))):
        return Cause(Kind.NOT_EXPANDED, "An axis has size 1 instead of its full size, as after a reduction or a slice of one entry, or before it is expanded.")
    if every(lambda g, w: not g and len(w) > 0):
        return Cause(Kind.ALL_REDUCED, "The result is one number, with no axes. sum(), mean() or max() without dim=, for example, gives one.")
    if every(lambda g, w: len(g) == len(w) - 1 and _is_part(g, w)):
        return Cause(Kind.AXIS_LOST, "An axis is missing: it was reduced or indexed away, or never created.")
    if every(lambda g, w: len(g) == len(w) + 1 and _is_part(w, g)):
        return Cause(Kind.AXIS_LEFT, "There is an extra axis: it should be reduced or indexed away, or was never needed.")
    if every(lambda g, w: len(g) == 2 != len(w) and len(w) > 0 and g == (math.prod(w[:-1]), w[-1])) and any(len(w) > 2 for _, w, _ in wrong):
        return Cause(Kind.FLATTENED, "All leading axes were merged into one: keep each of them. cat and flatten merge axes, stack and unsqueeze create new ones.")
    if every(lambda g, w: len(g) == 1 and len(w) > 1 and g[0] == math.prod(w)):
        return Cause(Kind.FLATTENED, "The number of elements is right, but they are all in one axis: reshape the result.")
    if every(lambda g, w: sorted(g) == sorted(w)):
        return Cause(Kind.TRANSPOSED, "The axes are in the wrong order: permute and transpose change it.")
    if every(lambda g, w: len(g) == 2 and math.prod(g) == math.prod(w) and any(g[0] == math.prod(w[:k]) for k in range(len(w) + 1))):
        return Cause(Kind.FLATTENED, "The result is a matrix with the right number of elements: reshape it to the expected shape.")
    return None


def _is_part(short: tuple[int, ...], long: tuple[int, ...]) -> bool:
    return any(long[:k] + long[k + 1 :] == short for k in range(len(long)))


def _other_axis(wrong: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]]) -> Cause | None:
    """An argument lost one axis, where it should have lost another."""
    names = set.intersection(*({k for k, v in a.items() if isinstance(v, torch.Tensor) and v.dim() > 1 and not k.startswith("?")} for _, _, a in wrong))
    for name in sorted(names):
        if all(_lost(a[name], g) and _lost(a[name], w) for g, w, a in wrong):
            return Cause(Kind.OTHER_DIM, f"The shape is that of {name} with one axis reduced, but with the wrong one.")
    return None


def _lost(t: torch.Tensor, shape: tuple[int, ...]) -> bool:
    whole = tuple(t.shape)
    if len(shape) == len(whole):
        return sum(a != b for a, b in zip(whole, shape, strict=True)) == 1 and all(b in (a, 1) for a, b in zip(whole, shape, strict=True))
    return len(shape) == len(whole) - 1 and _is_part(shape, whole)
