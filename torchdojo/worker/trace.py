"""Record the calls that a check makes to learner code and to autograd: used only to explain a failure.

Each note is plain data: the function or class, its arguments, its result. No verdict depends on it.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

from torchdojo.wire.forms import CallData, MakerData
from torchdojo.wire.values import Foreign
from torchdojo.worker import leaves, probes
from torchdojo.worker.raised import describe_error

MOST_CALLS = 300
GRADER = "torchdojo_graders_"  # the modules of graders

Trace = list[CallData]
_depth = [0]  # calls that the learner's code makes of itself are not noted


def traced(value: Any, name: str, trace: Trace) -> Any:
    """A function or class of the learner's that notes how it is used; anything else as it is."""
    if inspect.isfunction(value):
        return noting(value, trace, {"name": name})
    if inspect.isclass(value) and not issubclass(value, BaseException):
        if value not in _classes:
            _classes[value] = value
            with contextlib.suppress(Exception):  # a class that cannot be subclassed is not traced
                _classes[value] = _traced_class(value, name, trace)
        return _classes[value]
    return value


def noting(function: Callable[..., Any], trace: Trace, about: CallData, skip: int = 0) -> Callable[..., Any]:
    """The function, noting each call from outside. skip: the number of leading arguments that are not shown (self)."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if _depth[0] or len(trace) >= MOST_CALLS:
            if about.get("makes") and args:
                _makers[id(args[0])] = None  # an object that is gone may have had the same address
            return function(*args, **kwargs)
        note: CallData = {**about, "args": [sketch(a) for a in args[skip:]]}
        note["kwargs"] = {k: sketch(v) for k, v in kwargs.items()}
        note["names"] = _parameters(function, skip)
        note["grads"] = [_grad(a) for a in (*args[skip:], *kwargs.values())]
        note["strides"] = [_strides(a) for a in args[skip:]]
        thing = args[0] if skip and args else None
        own = thing is not None and not about.get("makes")  # what is being made may have the address of an object that is gone
        if own and id(thing) in _makers:
            note["made"] = _makers[id(thing)]
        handed = _handed.get(id(thing), []) if own else leaves.leaves_of([args[skip:], kwargs])
        if about.get("makes"):
            _things[id(thing)] = len(trace) + 1
        _note_around(note, thing, args[skip:], kwargs, handed)
        trace.append(note)
        _depth[0] += 1
        try:
            result = function(*args, **kwargs)
        except Exception as error:  # a check may catch it, and note its name alone
            code = getattr(inspect.unwrap(function), "__code__", None)
            note["raised"] = describe_error(error, code.co_filename if code is not None else None)
            raise
        finally:
            _depth[0] -= 1
            note["left"], note["numbers_left"] = leaves.noted(handed, thing, sketch), leaves.numbers(thing)
        note["returned"] = sketch(result)
        if about.get("makes") and args:
            _handed[id(thing)] = handed
            _makers[id(thing)] = {"args": note["args"], "kwargs": note["kwargs"], "names": note["names"], "grads": note["grads"]}
        return result

    return call


def _note_around(note: CallData, thing: Any, args: Any, kwargs: Any, handed: list[torch.Tensor]) -> None:
    """Note the settings and the parameters before a call, and which tensors among its arguments are parameters."""
    note["settings"], note["thing"], note["numbers"] = _settings(), _things.get(id(thing), 0), leaves.numbers(thing)
    if handed:
        note["params"] = leaves.noted(handed, thing, sketch)
        note["learns"] = [leaves.is_leaf(t) for t in leaves.tensors_given([args, kwargs])]


def _settings() -> list[str]:
    """Lines that bring about the settings of PyTorch under which a call is made, those of a fresh process left out."""
    lines = []
    if torch.get_default_dtype() is not torch.float32:
        lines.append(f"torch.set_default_dtype({torch.get_default_dtype()})")
    if not torch.is_grad_enabled():
        lines.append("torch.set_grad_enabled(False)")
    return lines


def _grad(value: Any) -> Any:
    """Does a tensor require grad? Of the result of an operation, what made it; of a list or tuple, that of each entry."""
    if isinstance(value, torch.Tensor):
        return value.requires_grad if value.grad_fn is None else type(value.grad_fn).__name__
    return [_grad(one) for one in value[:20]] if type(value) in (list, tuple) else False


def _strides(value: Any) -> list[int] | None:
    """Those of a tensor that is not contiguous; its sketch is."""
    if isinstance(value, np.ndarray) and not value.flags.c_contiguous:
        return [n // value.itemsize for n in value.strides] if value.itemsize else None
    odd = isinstance(value, torch.Tensor) and value.layout is torch.strided and not value.is_contiguous()
    return list(value.stride()) if odd else None


def _parameters(function: Callable[..., Any], skip: int) -> list[str]:
    """The names of the positional parameters; those of forward for the apply of a Function."""
    owner = getattr(function, "__self__", None)
    if getattr(function, "__name__", "") == "apply" and isinstance(owner, type) and hasattr(owner, "forward"):
        has_context = "setup_context" not in vars(owner)
        function, skip = owner.forward, int(has_context)
    try:
        return [p for p in inspect.signature(function).parameters][skip:]
    except (TypeError, ValueError):
        return []


_makers: dict[int, MakerData | None] = {}  # how the objects under test were made; None: by the learner's own code
_things: dict[int, int] = {}  # tells them apart
_handed: dict[int, list[torch.Tensor]] = {}  # the parameters that they were made with
_classes: dict[type, type] = {}


def _traced_class(value: type, name: str, trace: Trace) -> type:
    if issubclass(value, torch.autograd.Function):
        return type(value.__name__, (value,), {"apply": staticmethod(noting(value.apply, trace, {"name": f"{name}.apply"}))})
    members: dict[str, Any] = {"__module__": value.__module__, "__qualname__": value.__qualname__}
    own = [c for c in value.__mro__ if c is not object and not c.__module__.startswith(("torch.", "abc", "collections"))]
    for attribute, method in (item for c in reversed(own) for item in vars(c).items()):
        if not inspect.isfunction(method):
            continue
        if attribute == "__init__":
            members[attribute] = noting(value.__init__, trace, {"name": name, "makes": True}, skip=1)
        elif not attribute.startswith("_") or attribute in ("__call__", "__getitem__"):
            about: CallData = {"name": name, "method": "" if attribute in ("forward", "__call__") else attribute}
            members[attribute] = noting(method, trace, about, skip=1)
    return type(value.__name__, (value,), members)


@contextlib.contextmanager
def autograd_noted(trace: Trace) -> Iterator[None]:
    """Within a `with` block: what the check itself asks of torch.autograd.grad, or of a Function's backward, is noted too."""
    grad, returned, aside = torch.autograd.grad, probes._returned, probes._aside
    _makers.clear()
    _things.clear()
    _handed.clear()
    _classes.clear()
    _depth[0] = 0

    def asked(name: str, gradient: Any) -> CallData:
        note: CallData = {"name": name, "gradient": sketch(gradient)}  # now: a backward may write into it
        if not _depth[0] and len(trace) < MOST_CALLS and trace:
            trace.append(note)
        return note

    def noted_grad(outputs: Any, inputs: Any, grad_outputs: Any = None, *args: Any, **kwargs: Any) -> Any:
        note = asked("torch.autograd.grad", grad_outputs)
        gradients = grad(outputs, inputs, grad_outputs, *args, **kwargs)
        note["returned"] = sketch(list(gradients))
        return gradients

    def noted_returned(node: Any, gradient: torch.Tensor) -> list[Any]:
        note = asked("grad_fn.apply", gradient)
        gradients = returned(node, gradient)
        note["returned"] = sketch(list(gradients))
        return gradients

    def not_noted(call: Callable[[], Any]) -> None:
        _depth[0] += 1
        try:
            call()
        finally:
            _depth[0] -= 1

    torch.autograd.grad, probes._returned, probes._aside = noted_grad, noted_returned, not_noted
    try:
        yield
    finally:
        torch.autograd.grad, probes._returned, probes._aside = grad, returned, aside


def sketch(value: Any) -> Any:
    """A copy of a value for the explanation, taken now, before anyone can change it."""
    if isinstance(value, torch.Tensor):
        if value.layout is torch.strided and value.numel() <= 4096:
            return value.detach().clone()
        if type(value) is not torch.Tensor:
            return repr(value.shape)  # a class of the learner's, which may answer anything
        return Foreign("Tensor", f"<{str(value.dtype).removeprefix('torch.')} tensor of shape {tuple(value.shape)}>")
    if type(value) is torch.Size:
        return value
    if type(value) is np.ndarray:
        dtype_and_shape = f"<{value.dtype} array of shape {value.shape}>"
        return value.copy() if value.size <= 4096 else Foreign("numpy.ndarray", dtype_and_shape)
    if isinstance(value, (list, tuple)):
        if type(value) in (list, tuple):
            return type(value)([sketch(v) for v in value][:20])
        return Foreign("tuple", f"{type(value).__name__}(...)") if hasattr(value, "_fields") else repr(type(value))
    if isinstance(value, dict):
        return {str(k): sketch(v) for k, v in list(value.items())[:20]}
    if callable(value) and not isinstance(value, torch.nn.Module):
        return {"callable": getattr(value, "__name__", "a function")}
    if isinstance(value, torch.nn.Module) and str(type(value).__module__).startswith(GRADER):  # the learner doesn't know its name
        return Foreign("nn.Module", "<nn.Module>")
    if str(type(value).__module__).startswith(GRADER) and GRADER in repr(value):
        return Foreign(type(value).__name__, f"<{type(value).__name__}>")
    return value


def printed_by(solution: Any, code: str) -> str:
    """What a few lines of code print. As the function of a check: does the snippet of a message show what it says?"""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "<snippet>", "exec"), {"__name__": "__main__"})
    return out.getvalue()
