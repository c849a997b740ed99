"""What a function calls, and how much Python code it runs: what dispatched operations don't show."""

from __future__ import annotations

import fnmatch
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from torchdojo.wire.pack import plain_tensor
from torchdojo.wire.values import PLAIN, Foreign, text_of, type_name
from torchdojo.worker import audit, rules
from torchdojo.worker.inputs import without_shadows
from torchdojo.worker.operations import operations

OURS = ("torch", "torchdojo")
THREADS = ("threading", "concurrent", "weakref", "_weakrefset")
"""Python's modules that start threads and wait for them: how many steps this takes depends on how fast the threads are."""
_AS_THEY_ARE = (*PLAIN, bytes, complex, torch.Size, torch.dtype, torch.device, Foreign)
_OPERATION_CALLED = torch._ops.OpOverload.__call__.__code__


def python_steps(function: Callable[[], Any]) -> int:
    """How many instructions Python runs in function(), those of PyTorch and of Python's modules for threads left out. A loop over
    elements, one inside of `tolist()` and comprehensions included, takes more of them for more elements; an operation on whole
    tensors does not."""
    count = 0
    entered: list[Any] = []  # frames that are traced and haven't returned

    def watch(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        if frame.f_globals.get("__name__", "").partition(".")[0] in (*OURS, *THREADS):
            return None
        if event == "call":
            entered.append(frame)
        elif not frame.f_trace_opcodes:
            rules.gap()  # a frame that switches off its own tracing
        if event == "return" and frame in entered:
            entered.remove(frame)
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return watch

    before = sys.gettrace()
    sys._getframe().f_trace_opcodes = True  # Python 3.12 tells of instructions only if a frame had asked before settrace
    touched = audit.count()
    audit.set_hook(sys.settrace, watch)
    try:
        function()
    finally:
        audit.set_hook(sys.settrace, before)
        if entered or audit.count() != touched:
            rules.gap()
    return count


@dataclass
class Watched:
    """The result of one call, the names of its operations, its number of Python steps, and which of the given functions it called.

    operations: those that the recorder of `rules` saw, where a dispatch mode saw none.
    """

    answer: Any
    operations: list[str]
    steps: int
    called: list[str]


def watched(function: Callable[[], Any], *patterns: str) -> Watched:
    """Call function() once, and report what `operations`, `python_steps` and `called` do, and its answer.

    For a check with a `rule`: the answer that is compared is that of the very call that was watched, as it was when the call ended.
    """
    answer: list[Any] = []
    names: list[str] = []
    steps = 0

    def counted() -> None:
        nonlocal steps
        steps = python_steps(lambda: answer.append(as_it_is(function())))

    def noted() -> None:
        names.extend(operations(counted))

    with rules.Watch(["aten.*"]) as recorded:
        recorder = called(noted, *patterns)
    if rules.STOPPED in recorded.matched:
        rules.gap()
    seen = names or [name for name in recorded.matched if name != rules.STOPPED]
    return Watched(answer[0], seen, steps, recorder)


class _Moved(TorchFunctionMode):
    """Within the block, what functions of these names return is one more than it is."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__()
        self.names = names

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if getattr(func, "__name__", "") in self.names and isinstance(result, torch.Tensor):
            with torch.no_grad():
                result.add_(1)
        return result


def depends_on(function: Callable[[], Any], *names: str) -> bool:
    """Does the answer of function(), a tensor, depend on what PyTorch's functions of these names return? Everywhere in the tensor:
    function() runs twice, and the second time each of their results is one more. A call whose result isn't used changes nothing."""
    plain = as_it_is(function())
    with _Moved(names):
        moved = as_it_is(function())
    tensors = isinstance(plain, torch.Tensor) and isinstance(moved, torch.Tensor) and plain.shape == moved.shape
    return tensors and bool((plain != moved).all())


def as_it_is(value: Any) -> Any:
    """An answer of plain containers, numbers and tensors: nothing in it runs code of its class when it is read later."""
    kind = type(value)
    if issubclass(kind, torch.Tensor):
        plain = value if kind in (torch.Tensor, torch.nn.Parameter) else plain_tensor(value)
        return (
            without_shadows(plain)
            if plain is not None
            else Foreign(type_name(value), "a tensor whose class has a __torch_dispatch__")
        )
    if kind in (list, tuple):
        return kind(map(as_it_is, value))
    if issubclass(kind, tuple):
        return tuple(map(as_it_is, tuple.__iter__(value)))
    if issubclass(kind, dict):
        return {k if type(k) in PLAIN else text_of(k): as_it_is(v) for k, v in dict.items(value)}
    return value if kind in _AS_THEY_ARE else Foreign(type_name(value), text_of(value))


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

    before, touched = sys.getprofile(), audit.count()
    audit.set_hook(sys.setprofile, watch)
    try:
        function()
    finally:
        audit.set_hook(sys.setprofile, before)
        if audit.count() != touched:
            rules.gap()
    return sorted(seen)
