"""A tensor as Python code, for messages and for the snippets that a learner pastes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import torch

SHOWN_BY_NUMBERS = (torch.float32, torch.int64, torch.bool)  # 1., 1 and True are read as these


def tensor_code(t: torch.Tensor, number: Callable[[float], str], most: int | None = None) -> str:
    """The tensor as code. number: writes a float. most: with more letters of numbers than that, each row gets its own line."""
    if not t.numel():  # no number shows the dtype
        return f"torch.empty({tuple(t.shape)}{'' if t.dtype == torch.float32 else f', dtype={t.dtype}'})"
    text = _nested(t.tolist(), number)
    if most is not None and len(text) > most:
        text = re.sub(r"(\],) (\[)", r"\1\n    \2", text)
    return f"torch.tensor({text}{'' if t.dtype in SHOWN_BY_NUMBERS else f', dtype={t.dtype}'})"


def _nested(values: Any, number: Callable[[float], str]) -> str:
    if isinstance(values, list):
        return "[" + ", ".join(_nested(v, number) for v in values) + "]"
    return number(values) if isinstance(values, float) else str(values)
