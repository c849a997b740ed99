"""How much a benchmark does. With `--tiny` it does the least that shows that it still runs; the figures then mean nothing."""

from __future__ import annotations

import os
import sys
from typing import TypeVar

T = TypeVar("T")

TINY = "--tiny" in sys.argv[1:] or os.environ.get("BENCHMARKS_TINY") == "1"
if TINY:
    sys.argv[1:] = [word for word in sys.argv[1:] if word != "--tiny"]
    os.environ["BENCHMARKS_TINY"] = "1"  # for the programs that a benchmark starts


def amount(usual: T, tiny: T) -> T:
    """`usual`, or `tiny` with --tiny."""
    return tiny if TINY else usual


def missed(worse: bool) -> bool:
    """Is a target missed? Never with --tiny."""
    return worse and not TINY
