"""Is there a loop in Python, which no dispatched operation shows?"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

OURS = ("torch", "torchdojo")


def python_steps(function: Callable[[], Any]) -> int:
    """How many instructions Python runs in function(), those of PyTorch left out. A loop over elements, one inside of
    `tolist()` and comprehensions included, takes more of them for more elements; an operation on whole tensors does not."""
    count = 0

    def watch(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        if frame.f_globals.get("__name__", "").partition(".")[0] in OURS:
            return None
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        function()
    finally:
        sys.settrace(before)
    return count
