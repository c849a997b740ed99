"""Small helpers that a check calls in the worker to inspect what a learner's object does.

They return observations and contain no secrets. `torchdojo.grading` offers them to authors of checks.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from torchdojo.worker import audit, rules


def upstream(y: torch.Tensor, rng: torch.Generator, layout: str = "contiguous") -> torch.Tensor:
    """A random upstream gradient for y: its shape, dtype and device, values in eighths between -4 and 4, never 0.

    layout: 'contiguous', 'transposed' (the strides of a transposed tensor) or 'expanded' (one value, every stride 0).
    """
    shape = list(y.shape)
    if layout == "expanded":
        return _eighths((), rng).to(y.device, y.dtype).expand(shape)
    if layout == "transposed":
        return _eighths(shape[::-1], rng).to(y.device, y.dtype).permute(tuple(reversed(range(len(shape)))))
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
        return _returned(y.grad_fn, gradient)
    wanted = [x for x in inputs if isinstance(x, torch.Tensor) and x.requires_grad]
    grads = iter(gradients(y, wanted, gradient, retain_graph=True))
    return [next(grads) if isinstance(x, torch.Tensor) and x.requires_grad else None for x in inputs]


def _returned(node: Any, gradient: torch.Tensor) -> list[Any]:
    with torch.no_grad(), rules.in_backward():  # as in a real backward pass
        returned = node.apply(gradient)
    return _trimmed(node, returned)


def _trimmed(node: Any, gradients: Any) -> list[Any]:
    returned = list(gradients) if isinstance(gradients, tuple) else [gradients]
    expected = len(node.needs_input_grad)
    while len(returned) > expected and returned[-1] is None:  # PyTorch accepts these
        returned.pop()
    if len(returned) < expected:  # what PyTorch says in a real backward pass
        numbers = f"expected {expected}, got {len(returned)}"
        raise RuntimeError(f"function {node.name()} returned an incorrect number of gradients ({numbers})")
    return returned


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


def raises(function: Callable[[], Any], *kinds: type[Exception]) -> str:
    """The name of the exception type that function() raises, else 'no error'.

    A learner's own subclass counts as the built-in type it derives from. An error of one of `kinds`, or of a type derived from it,
    is told by their names: raises(f, RuntimeError, ValueError) is 'RuntimeError or ValueError' for all of these. A stub's
    NotImplementedError passes on, and so does the error that says that the file lacks a name.
    """
    try:
        function()
    except NotImplementedError:
        raise
    except Exception as error:
        if type(error).__name__ == "MissingName":
            raise
        if isinstance(error, kinds):
            return " or ".join(kind.__name__ for kind in kinds)
        known = {"torch", *sys.stdlib_module_names}
        return next(kind.__name__ for kind in type(error).__mro__ if kind.__module__.partition(".")[0] in known)
    return "no error"


def mode_of(module: torch.nn.Module) -> str:
    """'train' or 'eval'. A message then says what switches the mode, wherever a check returns these words."""
    return "train" if module.training else "eval"


def shares_memory(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Do two tensors use the same storage?"""
    return bool(a.numel() and b.numel() and a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr())


def kept_elsewhere(thing: Any, tensors: Sequence[torch.Tensor]) -> str:
    """The devices, as in 'cpu', where an object's dicts and lists hold tables (two axes and more) and none of `tensors` is, or
    'nowhere'. NumPy's arrays are on the CPU; counts and the like may be anywhere."""
    waiting: list[Any] = [getattr(thing, "__dict__", {})]
    seen: set[int] = set()
    devices: set[str] = set()
    while waiting:
        part = waiting.pop()
        if isinstance(part, (dict, list, tuple)) and id(part) not in seen:
            seen.add(id(part))
            waiting += part.values() if isinstance(part, dict) else part
        elif getattr(part, "ndim", 0) > 1:
            devices.add(part.device.type if isinstance(part, torch.Tensor) else "cpu")
    return " and ".join(sorted(devices - {t.device.type for t in tensors})) or "nowhere"


def cuda_alias() -> Any:
    """Within a `with` block "cuda" is the simulated device, for programs that choose it by themselves (needs=("sim",))."""
    from torchdojo.sim.cuda import alias  # only where the simulated device is used

    return alias()


def collected(reference: Any) -> bool:
    """Is the object behind a weakref gone (after a garbage collection if it has to be)?"""
    if reference() is not None:
        gc.collect()
    return reference() is None


# ------------------------------------------------------------------ hand-written Functions
def _aside(call: Callable[[], Any]) -> None:
    """A call that no explanation is to show (see `trace.autograd_noted`)."""
    call()


def repeated_backward(
    y: torch.Tensor, inputs: Sequence[Any], rng: torch.Generator, between: Callable[[], Any] = lambda: None
) -> dict[str, torch.Tensor | list[Any]]:
    """Two calls of backward with equal numbers: the upstream gradient after the first call, and the result of the second.

    between: the same Function applied to something else, which is no concern of y's.
    """
    given = upstream(y, rng)
    kept = given.clone()
    raw_gradients(y, given, inputs)
    after = given.clone()
    _aside(between)
    return {"upstream gradient after backward": after, "second call": raw_gradients(y, kept, inputs)}


def second_gradients(
    y: torch.Tensor, inputs: Sequence[torch.Tensor], rng: torch.Generator, only_upstream: bool = False
) -> list[torch.Tensor]:
    """Second derivatives: a random sum of the gradients of y, differentiated with respect to the upstream gradient,
    and then to each input unless only_upstream. Zeros where the gradients have no history."""
    given = upstream(y, rng).requires_grad_()
    weights = [upstream(x, rng) for x in inputs]
    places = [given] if only_upstream else [given, *inputs]
    first = gradients(y, inputs, given, create_graph=True)
    terms = [(f * w).sum() for f, w in zip(first, weights, strict=True) if f is not None and f.requires_grad]
    if not terms:
        return [torch.zeros_like(t) for t in places]
    second = torch.autograd.grad(torch.stack(terms).sum(), places, allow_unused=True, materialize_grads=True)
    return [t.detach() for t in second]


def _other_numbers(t: torch.Tensor) -> None:
    """Write into t: positive numbers become negative, and no number in eighths stays as it was."""
    t.mul_(-2).sub_(1.25)


def gradients_after_edit(
    apply: Callable[..., torch.Tensor],
    inputs: Sequence[Any],
    place: int | None,
    rng: torch.Generator,
    edit: Callable[[torch.Tensor], Any] = _other_numbers,
    may_refuse: bool = True,
) -> list[Any]:
    """The raw gradients of apply(*inputs), one input (or the result: place None) having been edited before backward.

    A backward that refuses with RuntimeError gives the gradients from before the edit, unless may_refuse is False:
    refusing is as good as right. Works on copies of the inputs.
    """

    def applied() -> tuple[list[Any], torch.Tensor]:
        copies = [x.detach().clone() if isinstance(x, torch.Tensor) else x for x in inputs]
        for copy, x in zip(copies, inputs, strict=True):
            if isinstance(x, torch.Tensor):
                copy.requires_grad_(x.requires_grad)
        return copies, apply(*copies)

    copies, y = applied()
    given = upstream(y, rng)
    before = raw_gradients(y, given.clone(), copies)
    copies, y = applied()
    node = y.grad_fn if is_own_function(y) else None  # before the edit: PyTorch gives none for a view that was edited
    edit((y if place is None else copies[place]).detach())
    try:
        return _returned(node, given) if node is not None else raw_gradients(y, given, copies)
    except RuntimeError:
        if may_refuse:
            return before
        raise


def autograd_inside(
    apply: Callable[[], torch.Tensor], inputs: Sequence[Any], rng: torch.Generator
) -> tuple[dict[str, torch.Tensor | list[Any]], list[str]]:
    """What a hand-written Function gives, {"result", "returned"} by its backward, and how its forward and backward lean on
    autograd: sentences, [] if they do not. For a check with a `rule`.

    apply: makes the result from the inputs, as in `lambda: solution.Exp.apply(x)`. All that is watched is this one call.
    """
    engine = ("run_backward", "_grad_increment_nesting", "_jvp_increment_nesting", "_make_dual", "_enter_dual_level")
    seen: set[str] = set()

    def watch(frame: Any, event: str, argument: Any) -> None:
        name = getattr(argument, "__name__", "")
        if event == "c_call" and name in engine:
            seen.add("autograd was used inside forward or backward")
        if event == "c_return" and name == "_set_grad_enabled" and torch.is_grad_enabled():
            seen.add("gradient tracking was switched on inside forward or backward")

    def watched(function: Callable[..., Any], *args: Any) -> Any:
        before, in_threads = sys.getprofile(), threading.getprofile()

        def join(frame: Any, event: Any, argument: Any) -> None:
            if in_threads is not None:
                in_threads(frame, event, argument)
            audit.set_hook(sys.setprofile, watch)

        audit.set_hook(sys.setprofile, watch)
        audit.set_in_threads(join)  # a new thread has no profiler, and records again
        try:
            return function(*args)
        finally:
            audit.set_in_threads(in_threads)
            audit.set_hook(sys.setprofile, before)

    with rules.Watch([rules.INSIDE]) as recorded:
        y = watched(apply)
        given = upstream(y, rng)
        own = is_own_function(y)
        if own:
            with torch.no_grad(), rules.in_backward():
                returned = _trimmed(y.grad_fn, watched(y.grad_fn.apply, given))
        else:
            returned = raw_gradients(y, given, inputs)
    if not own:
        seen = {"the result was not made by a Function of your own"}
    elif recorded.matched:
        seen.add("a derivative of PyTorch's own was called inside backward")
    return {"result": y.detach(), "returned": returned}, sorted(seen)
