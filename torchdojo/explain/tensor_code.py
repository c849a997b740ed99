"""A tensor or a NumPy array as Python code, for messages and for the snippets that a learner pastes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import torch

SHOWN_BY_NUMBERS = (torch.float32, torch.int64, torch.bool)  # 1., 1 and True are read as these
SHOWN_IN_NUMPY = (torch.float64, torch.int64, torch.bool)


def tensor_code(t: torch.Tensor, number: Callable[[float], str], most: int | None = None, *, array: bool = False) -> str:
    """The tensor as code. number: writes a float. most: with more letters of numbers than that, each row gets its own line.
    array: as a NumPy array."""
    library, make, plain = ("np", "array", SHOWN_IN_NUMPY) if array else ("torch", "tensor", SHOWN_BY_NUMBERS)
    dtype = f", dtype={library}.{str(t.dtype).removeprefix('torch.')}"
    if not t.numel():  # no number shows the dtype
        return f"{library}.empty({tuple(t.shape)}{'' if t.dtype == plain[0] else dtype})"
    text = _nested(t.tolist(), number)
    if most is not None and len(text) > most:
        text = re.sub(r"(\],) (\[)", r"\1\n    \2", text)
    return f"{library}.{make}({text}{'' if t.dtype in plain else dtype})"


def _nested(values: Any, number: Callable[[float], str]) -> str:
    if isinstance(values, list):
        return "[" + ", ".join(_nested(v, number) for v in values) + "]"
    return number(values) if isinstance(values, float) else str(values)
