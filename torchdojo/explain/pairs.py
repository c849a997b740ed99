"""A pair of values: what one path of an answer holds, what is wanted there, and the arguments it was computed from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import torch

from torchdojo.judge.compare import tolerances

Tensor = torch.Tensor
UNKNOWN = "?"  # prefix for names of values that learners don't know


@dataclass
class Pair:
    """One leaf of an answer, what is wanted there, and the named values that the answer was computed from."""

    got: Tensor
    want: Tensor
    given: dict[str, Any] = field(default_factory=dict)
    dtype: torch.dtype = torch.float64
    kind: str = "float"  # or 'int', 'bool'

    @property
    def wrong(self) -> bool:
        return not close(self.got, self.want, self.dtype)

    def tensors(self) -> dict[str, Tensor]:
        """The tensors among the given values, as float64."""
        return {k: v.detach().to(torch.float64) for k, v in self.given.items() if isinstance(v, Tensor) and not v.is_complex()}

    def numbers(self) -> dict[str, float]:
        """The plain numbers among the given values."""
        return {k: float(v) for k, v in self.given.items() if not k.startswith(UNKNOWN) and isinstance(v, (int, float)) and not isinstance(v, bool)}


def pair_of(got: Any, want: Any, given: dict[str, Any]) -> Pair | None:
    """A pair of real numbers with the same shape, as float64; None for everything else."""
    got, want = _numbers(got), _numbers(want)
    if got is None or want is None or got.shape != want.shape or not want.numel():
        return None
    both = got.dtype, want.dtype
    kind = "bool" if torch.bool in both else "float" if any(d.is_floating_point for d in both) else "int"
    dtype = want.dtype if want.dtype.is_floating_point else torch.float64
    return Pair(got.to(torch.float64), want.to(torch.float64), given, dtype, kind)


def _numbers(value: Any) -> Tensor | None:
    if isinstance(value, Tensor):
        return None if value.is_complex() else value.detach()
    values = value if isinstance(value, (list, tuple)) and value else [value]
    if not all((isinstance(v, (bool, int, float)) and abs(v) < 2**53) or v != v for v in values):
        return None
    kinds = {type(v) for v in values}
    dtype = torch.bool if kinds == {bool} else torch.int64 if kinds == {int} else torch.float64
    return torch.tensor(value if values is value else values[0], dtype=dtype)


def close(a: Tensor, b: Tensor, dtype: torch.dtype) -> bool:
    """Equal within rounding. A rule's own formula may round a few times more than the answer, so the tolerance is wider."""
    if a.shape != b.shape:
        return False
    rtol, atol = tolerances("cpu", dtype)
    return bool(torch.isclose(a, b, rtol=4 * rtol, atol=atol, equal_nan=True).all())
