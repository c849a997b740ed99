"""Small helpers that a check calls in the worker to look at what a learner's object does.

They return observations and hold no secrets. `torchdojo.grading` offers them to the authors of checks.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode


class Operations(TorchDispatchMode):
    """Within a `with` block: the names of the ATen operations that PyTorch dispatched, in order, as in 'aten.add'."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if len(self.names) < 100_000:
            self.names.append(str(function._overloadpacket))
        return function(*args, **(kwargs or {}))


def operations(function: Callable[[], Any]) -> list[str]:
    """The ATen operations that function() dispatches. A count that grows with the batch shows a Python loop."""
    with Operations() as seen:
        function()
    return seen.names


def upstream(y: torch.Tensor, rng: torch.Generator, layout: str = "contiguous") -> torch.Tensor:
    """A random upstream gradient for y: its shape, dtype and device, values in eighths between -4 and 4, never 0.

    layout: 'contiguous', 'transposed' (the strides of a transposed tensor) or 'expanded' (one value, every stride 0).
    """
    shape = list(y.shape)
    if layout == "expanded":
        return _eighths((), rng).to(y.device, y.dtype).expand(shape)
    if layout == "transposed":
        return _eighths(shape[::-1], rng).to(y.device, y.dtype).permute(*reversed(range(len(shape))))
    return _eighths(shape, rng).to(y.device, y.dtype)


def _eighths(shape: Any, rng: torch.Generator) -> torch.Tensor:
    draw = torch.randint(1, 33, tuple(shape), generator=rng, device="cpu")
    sign = torch.randint(0, 2, tuple(shape), generator=rng, device="cpu") * 2 - 1
    return (draw * sign).to(torch.float64) / 8


def is_own_function(y: torch.Tensor) -> bool:
    """Was y made by a torch.autograd.Function written in Python (and not by one of PyTorch's own operations)?"""
    return isinstance(y.grad_fn, torch.autograd.function.BackwardCFunction)


def raw_gradients(y: torch.Tensor, gradient: torch.Tensor, inputs: Sequence[Any]) -> list[Any]:
    """What the backward of a hand-written Function returns, before PyTorch repairs its shapes.

    inputs: all arguments of the call, in order; one entry comes back for each, None for what is not differentiable.
    For a result of PyTorch's own operations (an oracle's) these are the gradients that autograd gives.
    Raises TypeError when y has no grad_fn.
    """
    if y.grad_fn is None:
        raise TypeError("the result is not connected to its inputs: it has no grad_fn")
    if is_own_function(y):
        with torch.no_grad():  # as in a real backward pass
            found = y.grad_fn.apply(gradient)
        return list(found) if isinstance(found, tuple) else [found]
    wanted = [x for x in inputs if isinstance(x, torch.Tensor) and x.requires_grad]
    grads = iter(gradients(y, wanted, gradient))
    return [next(grads) if isinstance(x, torch.Tensor) and x.requires_grad else None for x in inputs]


def gradients(y: torch.Tensor, inputs: Any, gradient: torch.Tensor | None = None, **kwargs: Any) -> list[Any]:
    """torch.autograd.grad that gives None, not an error, for inputs that y does not depend on."""
    if not y.requires_grad:
        return [None for _ in inputs]
    return list(torch.autograd.grad(y, list(inputs), gradient, allow_unused=True, **kwargs))


@contextmanager
def saved_tensors() -> Iterator[list[tuple[int, ...]]]:
    """Within a `with` block: the shapes of the tensors that autograd saved for a backward pass."""
    shapes: list[tuple[int, ...]] = []

    def pack(t: torch.Tensor) -> torch.Tensor:
        shapes.append(tuple(t.shape))
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        yield shapes


@contextmanager
def autograd_calls() -> Iterator[list[str]]:
    """Within a `with` block: a list that gets an entry each time autograd runs a backward pass."""
    calls: list[str] = []
    places = [(module, "_engine_run_backward") for module in (torch.autograd, torch.autograd.graph)]
    originals = [getattr(module, name) for module, name in places]

    def counted(original: Any) -> Any:
        def run(*args: Any, **kwargs: Any) -> Any:
            calls.append("backward")
            return original(*args, **kwargs)

        return run

    try:
        for (module, name), original in zip(places, originals, strict=True):
            setattr(module, name, counted(original))
        yield calls
    finally:
        for (module, name), original in zip(places, originals, strict=True):
            setattr(module, name, original)


def raises(function: Callable[[], Any]) -> str:
    """The name of the exception type that function() raises, else 'no error'. A stub's NotImplementedError passes on."""
    try:
        function()
    except NotImplementedError:
        raise
    except Exception as error:
        return type(error).__name__
    return "no error"


def shares_memory(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Do two tensors use the same storage?"""
    return bool(a.numel() and b.numel() and a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr())


def collected(reference: Any) -> bool:
    """Is the object behind a weakref gone (after a garbage collection if it has to be)?"""
    if reference() is not None:
        gc.collect()
    return reference() is None
