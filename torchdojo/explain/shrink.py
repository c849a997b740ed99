"""Look for a smaller input on which a check fails in the same way, so that a learner can follow it by hand.

Only for what has failed, and within a fixed number of runs, so that the message is the same on every machine: first smaller
sizes, all different; then small whole numbers; then settings at their first value. A smaller input is taken when the same
step of the ladder fails at the same place, and the known mistake that was named (if any) still does what was observed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from torchdojo.grading.cases import Case, redrawn, small_sizes
from torchdojo.judge.compare import Difference
from torchdojo.wire.outcome import Outcome
from torchdojo.worker.inputs import tensors_in

if TYPE_CHECKING:
    from torchdojo.grading.checks import Check

LOT = 4  # runs in one request to a worker
MOST_SIZES, MOST_VALUES, MOST_SETTINGS = 22, 12, 5  # and all settings at once: 40 runs at most


@dataclass
class Failure:
    """One input on which a check fails: its arguments, where it was drawn, and the difference."""

    example: dict[str, Any]
    number: int
    device: str
    difference: Difference
    outcome: Outcome


Try = Callable[[list[dict[str, Any]]], list["Failure | None"]]


def smallest(check: Check, failure: Failure, attempt: Try, keep_settings: bool) -> Failure:
    """The failure on the smallest input found. attempt: tries inputs, gives the failure of the same kind for each, or None.

    keep_settings: leave the arguments that are listed values alone.
    """
    if check.examples and not any(k in check.specs for k in failure.example):
        return failure
    for candidates in (_smaller, _simpler, *([] if keep_settings else [_plainer])):
        now = weight(check, failure.example)
        weighed = [(weight(check, e), e) for e in candidates(check, failure)]
        tried = [e for w, e in sorted(weighed, key=lambda pair: pair[0]) if w < now]
        lots = (attempt(tried[start : start + LOT]) for start in range(0, len(tried), LOT))
        failure = next((f for lot in lots for f in lot if f is not None), failure)  # the first is the smallest
    return failure


def weight(check: Check, example: dict[str, Any]) -> tuple[int, int, int, float]:
    """How hard an input is to follow: axes of size 1 or of equal size, settings, elements, numbers not small and whole."""
    count = repeated = 0
    listed = {k: v for k, v in check.specs.items() if isinstance(v, (list, tuple)) and k in example}
    settings = sum(example[k] is not v[0] and repr(example[k]) != repr(v[0]) for k, v in listed.items())
    cost = 0.0
    for t in tensors_in(example):
        count += t.numel() + 1
        if t.numel():
            repeated += len(t.shape) - len({n for n in t.shape if n != 1}) + (not t.shape)
            values = t.detach().double().reshape(-1) if not t.is_complex() else t.detach().abs().reshape(-1).double()
            values = torch.where(torch.isfinite(values), values, 9.0)
            cost += float(((values != values.round()) * 9 + (values < 0) * 1 + (values == 0) * 0.5).sum())
            cost += values.abs().clamp(max=99).sum().item() / 10 + (len(values) - len(values.unique()))
            cost += 5 * (not t.is_contiguous()) + 2 * (t.dtype in (torch.float16, torch.bfloat16))
    return repeated, settings, count, cost


def _dtype(example: dict[str, Any]) -> torch.dtype:
    floats = [t.dtype for t in tensors_in(example) if t.is_floating_point()]
    return floats[0] if floats else torch.float64


def _smaller(check: Check, failure: Failure) -> Iterator[dict[str, Any]]:
    """The same settings on fewer elements."""
    for number, (sizes, lead) in enumerate(small_sizes(check.specs, check.minimum)[:MOST_SIZES]):
        turn = random.Random(f"{check.name}/{number}")
        case = Case(sizes, lead, "contiguous", _dtype(failure.example), "integers", failure.number, turn)
        try:
            yield redrawn(check.specs, failure.example, case)
        except Exception:  # a `built` argument that cannot be so small
            continue


def _simpler(check: Check, failure: Failure) -> Iterator[dict[str, Any]]:
    """Small whole numbers, all different where they fit, in arguments that are plain float tensors."""
    floats = {
        name: spec
        for name, spec in check.specs.items()
        if getattr(spec, "dtype", "") == "float" and isinstance(failure.example.get(name), torch.Tensor)
    }
    for start in range(1, MOST_VALUES + 1):
        example, place = dict(failure.example), start
        for name, spec in floats.items():
            t = failure.example[name]
            least = 1 if start < 7 else -4
            allowed = [v for v in range(least, 10) if spec.low <= v <= spec.high and v not in spec.avoid]
            if not allowed or (spec.distinct and t.numel() > len(allowed)):
                continue
            values = [allowed[(place + k) % len(allowed)] for k in range(t.numel())]
            place += t.numel()
            example[name] = torch.tensor(values, dtype=t.dtype).reshape(t.shape)
        yield example


def _plainer(check: Check, failure: Failure) -> Iterator[dict[str, Any]]:
    """All settings, or one of them, at the first of the listed values."""
    listed = {k: v[0] for k, v in check.specs.items() if isinstance(v, (list, tuple)) and v and k in failure.example}
    if len(listed) > 1:
        yield failure.example | listed
    for name, value in list(listed.items())[:MOST_SETTINGS]:
        yield failure.example | {name: value}
