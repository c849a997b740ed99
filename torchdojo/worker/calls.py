"""What a function calls, and how much Python code it runs: what dispatched operations don't show."""

from __future__ import annotations

import fnmatch
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from torchdojo.worker.operations import operations

OURS = ("torch", "torchdojo")
_OPERATION_CALLED = torch._ops.OpOverload.__call__.__code__


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
    sys._getframe().f_trace_opcodes = True  # Python 3.12 tells of instructions only if a frame had asked before settrace
    sys.settrace(watch)
    try:
        function()
    finally:
        sys.settrace(before)
    return count


@dataclass
class Watched:
    """What one call gave, and what it did: names of its operations, steps of Python, which of the functions asked for it called."""

    answer: Any
    operations: list[str]
    steps: int
    called: list[str]


def watched(function: Callable[[], Any], *patterns: str) -> Watched:
    """Call function() once, and see all that `operations`, `python_steps` and `called` see, besides its answer.

    For a check with a `rule`: the answer that is compared is that of the very call that was watched.
    """
    answer: list[Any] = []
    names: list[str] = []
    steps = 0

    def counted() -> None:
        nonlocal steps
        steps = python_steps(lambda: answer.append(function()))

    def noted() -> None:
        names.extend(operations(counted))

    found = called(noted, *patterns)
    return Watched(answer[0], names, steps, found)


def called(function: Callable[[], Any], *patterns: str) -> list[str]:
    """Which functions matching the patterns did function() call, however they were imported?

    A pattern is the full name of a Python function ('torch.autograd.gradcheck.*') or the bare name of a compiled one
    ('linear' for torch.nn.functional.linear, which no dispatched operation tells from a matrix product). What PyTorch
    calls to print a tensor does not count.
    """
    seen: set[str] = set()
    printing = 0

    def watch(frame: Any, event: str, argument: Any) -> None:
        nonlocal printing
        if frame.f_globals.get("__name__") == "torch._tensor_str":
            printing += {"call": 1, "return": -1}.get(event, 0)
        if printing:
            return
        if event == "call" and frame.f_code is _OPERATION_CALLED:
            name = next(iter(frame.f_locals.values())).__name__.partition(".")[0]  # torch.ops.aten.linear.default
        elif event == "call":
            name = f"{frame.f_globals.get('__name__')}.{frame.f_code.co_name}"
        elif event == "c_call":
            name = getattr(argument, "__name__", "")
        else:
            return
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns):
            seen.add(name)

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        function()
    finally:
        sys.setprofile(before)
    return sorted(seen)
