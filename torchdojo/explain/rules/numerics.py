"""Symptoms in floating-point numbers: the wrong dtype, nan and inf."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.pairs import UNKNOWN
from torchdojo.judge.compare import Difference
from torchdojo.wire.strict import SeenTensor

if TYPE_CHECKING:
    from torchdojo.grading.checks import Check
    from torchdojo.judge.oracle import Oracle

Shown = tuple[torch.Tensor, torch.Tensor, dict[str, Any]]
"""Answer, wanted answer, arguments by name."""


def of_dtype(got: torch.dtype | None, want: torch.dtype | None, given: list[dict[str, Any]] | None = None) -> Cause | None:
    """What the answer holds instead, and which arguments have the wanted dtype; given: those of each call whose result has the wrong one."""
    if got is None or want is None or got.is_complex or want.is_complex:
        return None
    name = str(want).removeprefix("torch.")
    said = f"These are {_numbers(got)} instead of {_numbers(want)}."
    if _numbers(got) == _numbers(want):
        said = f"The {'precision' if want.is_floating_point else 'integer dtype'} is wrong: {name} is expected."
    named = sorted(set.intersection(*({k for k, v in a.items() if _has(v, want) and not k.startswith(UNKNOWN)} for a in given))) if given else []
    if named:
        said += f" {' and '.join(named)} {'is' if len(named) == 1 else 'are'} {name}, and the result should be, too."
    return Cause(Kind.DTYPE, said)


def _numbers(dtype: torch.dtype) -> str:
    return "True and False" if dtype == torch.bool else "floating-point numbers" if dtype.is_floating_point else "integers"


def _has(value: Any, dtype: torch.dtype) -> bool:
    """Is it the dtype, or a tensor of it? Indices and masks say nothing of the result."""
    return value is dtype or (isinstance(value, torch.Tensor) and value.dtype == dtype not in (torch.int64, torch.bool))


def of_infinity(cases: list[Shown]) -> Cause | None:
    return _of_finite(cases) or of_given_infinity(cases)


UNFILLED = (
    "Uninitialized memory: torch.empty, empty_like and new_empty give whatever was there. Write every element, or start"
    " from torch.zeros."
)


def never_written(value: Any) -> bool:
    """Is there a nan as new memory holds it in a worker, with ones in all its bits? What arithmetic makes of numbers has one bit set.

    Plain numbers come without these bits, so nothing is said of them.
    """
    if not isinstance(value, torch.Tensor) or not value.is_floating_point():
        return False
    bits = value.detach().double().contiguous().view(torch.int64)[torch.isnan(value)]
    return bool(((bits >> 45) & 0x7F == 0x7F).any())


def _of_finite(cases: list[Shown]) -> Cause | None:
    """nan or inf, where all of the answer is finite."""
    bad = [c for c in cases if c[0].shape == c[1].shape and not torch.isfinite(c[0]).all() and torch.isfinite(c[1]).all()]
    if not bad:
        return None
    for name in sorted(set.intersection(*({k for k, v in a.items() if _is_mask(v) and not k.startswith(UNKNOWN)} for _, _, a in bad))):
        for value in (False, True):
            if all(_only_in_rows(g, a[name] == value) for g, _, a in bad):
                return Cause(Kind.MASKED_NAN, f"The rows without a number are those in which {name} is {value} everywhere.")
    narrow = all(g.dtype == torch.float16 and torch.isinf(g).any() for g, _, _ in bad)
    if not narrow and all(50 <= largest(arguments) < math.inf for _, _, arguments in bad) and any(a for _, _, a in bad):
        return Cause(Kind.OVERFLOW, _LARGE)
    if all(torch.isnan(g).any() for g, _, _ in bad) and any(a for _, _, a in bad):
        return Cause(Kind.NAN, _NAN)
    if narrow:
        return Cause(Kind.RANGE, "float16 ends at 65504, and exp(12) is more: larger numbers are inf there, as are 1 / 0 and -log(0).")
    if all(torch.isinf(g).any() for g, _, _ in bad):
        return Cause(Kind.INF, "1 / 0, -log(0) and numbers too large for their dtype are inf: look at where each can arise.")
    return None


_LARGE = "The input holds large numbers. exp and powers of them can be inf, or 0, whose log is -inf; inf - inf, inf / inf and 0 / 0 are nan."
_NAN = "0 / 0, inf / inf, inf - inf, 0 * inf, and the root or log of a negative number are nan: look at where each can arise."


def of_given_infinity(cases: list[Shown]) -> Cause | None:
    """nan instead of an answer, for inputs or answers that contain inf."""
    floats = [c for c in cases if c[0].shape == c[1].shape and c[0].is_floating_point() and c[1].is_floating_point()]
    wrong = [c for c in floats if not torch.allclose(c[0].double(), c[1].double(), equal_nan=True)]
    if not wrong or not all(bool((g.isnan() & ~w.isnan()).any()) for g, w, _ in wrong):
        return None
    if not all(any(map(_holds_infinity, (w, *arguments.values()))) for _, w, arguments in wrong):
        return None
    said = "The numbers contain inf, and inf - inf, inf / inf and 0 * inf are nan: select values there (torch.where, clamp, an index) instead of computing with inf."
    return Cause(Kind.NAN, said)


def _holds_infinity(value: Any) -> bool:
    return bool(value.isinf().any()) if isinstance(value, torch.Tensor) else isinstance(value, float) and math.isinf(value)


def _is_mask(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.dtype == torch.bool and value.dim() > 0


def _only_in_rows(got: torch.Tensor, hit: torch.Tensor) -> bool:
    """Are the values that are not finite exactly the rows in which every entry of the mask is hit?"""
    bad = ~torch.isfinite(got)
    try:
        rows = hit.all(-1, keepdim=True).broadcast_to(got.shape)
    except RuntimeError:
        return False
    return bool((bad == rows).all())


def largest(arguments: dict[str, Any]) -> float:
    """The largest absolute value in any floating-point tensor among the arguments."""
    tensors = (x for x in arguments.values() if isinstance(x, torch.Tensor) and x.is_floating_point() and x.numel())
    return max((x.abs().max().item() for x in tensors), default=0.0)


def far_from_zero(verdicts: dict[Check, Any], oracle: Oracle) -> Cause | None:
    """Are the checks that fail those with large numbers, and no others?"""

    def large(check: Check) -> list[bool]:
        arguments = [oracle.arguments(check, n) for n in range(len(oracle.runs(check)))]
        return [1000 <= largest(a) < math.inf for a in arguments if any(isinstance(v, torch.Tensor) and v.numel() for v in a.values())]

    failed = [b for c, v in verdicts.items() if v.status == "failed" for b in large(c)]
    passed = [b for c, v in verdicts.items() if v.status == "passed" for b in large(c)]
    if len(failed) < 2 or len(passed) < 2 or not all(failed) or any(passed):
        return None
    said = "Only large numbers go wrong. Differences of large numbers lose digits, and their powers and exponentials overflow."
    return Cause(Kind.PRECISION, said)


def unfilled(difference: Difference) -> Cause | None:
    """The cause, when what came back is memory as the worker finds it: a nan in which every bit is set, as 0 / 0 never gives."""
    if difference.rung != "finite" or difference.index is None or not isinstance(difference.got, SeenTensor):
        return None
    value = difference.got.data[difference.index]
    bits = value.reshape(1).view(torch.uint8)
    return Cause(Kind.EMPTY, UNFILLED) if bool(value.isnan()) and bool((bits == 255).all()) else None
