"""The verdict of a check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from torchdojo.judge.compare import Difference


@dataclass
class Verdict:
    """What a check found, before it is worded: a status, the first difference, and everything that was observed."""

    status: str
    difference: Difference | None = None
    example: int = 0
    outcomes: Sequence[dict[str, Any]] = ()
    text: str = ""
    seconds: float = 0.0
    printed: str = ""
    worker: object = None  # that gave it


def has_raised(verdict: Verdict) -> bool:
    """Was it an error that was refused, not an answer?"""
    return verdict.difference is not None and verdict.difference.rung in ("runs", "import")
