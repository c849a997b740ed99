"""Submissions that answer with the right type and shape, and nothing right in them: made of the reference for any exercise.

Each public function, method and hand-written Function of the reference answers with one constant in place of its numbers. It does
nothing else: it runs on copies, or what it did to the caller's tensors is undone.
"""

import contextlib
import copy
import functools
import inspect
from collections.abc import Iterator
from types import GeneratorType, SimpleNamespace

import torch
from torch.utils.data import DataLoader, Sampler

FILLS = {
    "garbage": {float: 0.625, int: 1, bool: True, str: "garbage"},
    "zeros": {float: 0.0, int: 0, bool: False, str: ""},
    "nan": {float: float("nan"), int: 0, bool: False, str: "nan"},
    "its input": {float: 0.0, int: 0, bool: False, str: ""},  # for parameters and constants
}
ENDS = IndexError, StopIteration  # these end a loop; without them it would go on for ever


def submission(reference, kind):
    """The `solution` for a check: the reference's names, whose answers are replaced by `kind`."""
    names = SimpleNamespace()
    for name, value in vars(reference).items():
        if name.startswith("_") or inspect.ismodule(value):
            continue
        own = getattr(value, "__module__", None) == reference.__name__
        if inspect.isclass(value) and own and not issubclass(value, BaseException):
            value = _class(value, kind)
        elif inspect.isfunction(value) and own:
            value = _function(value, kind)
        elif name.isupper() and name != "REPAIRED":
            value = filled(value, FILLS[kind])
        setattr(names, name, value)
    return names


def filled(value, fill):
    """The same structure with one constant in each place. A graph stays attached, with gradients of 0."""
    if isinstance(value, torch.Tensor):
        kind = float if value.is_floating_point() or value.is_complex() else bool if value.dtype == torch.bool else int
        constant = torch.full_like(value.detach(), fill[kind], memory_format=torch.preserve_format)
        if value.requires_grad and value.grad_fn is not None:
            return torch.where(torch.zeros((), dtype=torch.bool, device=value.device), value, constant)
        return constant.requires_grad_(value.requires_grad)
    if type(value) in fill:
        return fill[type(value)]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(filled(v, fill) for v in value))
    if type(value) in (list, tuple):
        return type(value)(filled(v, fill) for v in value)
    if isinstance(value, dict):
        return {k: filled(v, fill) for k, v in value.items()}
    if isinstance(value, torch.device):
        return torch.device("meta")
    if isinstance(value, (DataLoader, Sampler)):
        return _Filled(value, fill)
    if isinstance(value, Iterator):
        return iter([filled(v, fill) for v in value])
    if isinstance(value, torch.nn.Module):
        with torch.no_grad():
            for t in (*value.parameters(), *value.buffers()):
                t.copy_(filled(t.detach(), fill))
    return value


class _Filled:
    """A loader or a sampler with as many items as the original, each of them filled."""

    def __init__(self, inner, fill):
        self.inner, self.fill = inner, fill

    def __len__(self):
        return len(self.inner)

    def __iter__(self):
        return (filled(thing, self.fill) for thing in self.inner)


def _answer(function, kind, args, kwargs):
    """What a function or method answers: constants in the form of the reference's answer, or its first tensor."""
    if kind == "its input" and function.__name__ != "__getitem__":  # that would never end a loop
        return next((a for a in (*args, *kwargs.values()) if isinstance(a, torch.Tensor)), args[0] if args else None)
    own = getattr(function, "__self__", None)
    try:
        if own is not None and not isinstance(own, type):
            other, called, keywords = _apart((own, args, kwargs))
            found = function.__func__(other, *called, **keywords)
        elif any(isinstance(a, torch.Tensor) and a.requires_grad and a.is_leaf for a in args):
            with _undone(args):  # not on copies, so that the answer is attached to the caller's graph
                found = function(*args, **kwargs)
        else:
            called, keywords = _apart((args, kwargs))
            found = function(*called, **keywords)
    except ENDS:
        raise
    except Exception:  # garbage refuses nothing
        found = torch.zeros(())
    return filled(found, FILLS[kind])


def _apart(things):
    """Copies that the reference may change as it likes: tensors with a graph are copied without it, and shared objects stay shared."""
    memo = {}
    things = _walked(things)
    waiting = [things]
    while waiting:
        part = waiting.pop()
        if isinstance(part, torch.Tensor) and not part.is_leaf:
            memo[id(part)] = part * 1
        elif isinstance(part, (list, tuple)):
            waiting += part
        elif isinstance(part, dict):
            waiting += part.values()
    try:
        return copy.deepcopy(things, memo)
    except Exception:  # a lock, a file
        return things


def _walked(things):
    """The same, with iterators over lists in place of generators, which cannot be copied."""
    if isinstance(things, tuple):
        return tuple(map(_walked, things))
    return iter(list(things)) if isinstance(things, GeneratorType) else things


@contextlib.contextmanager
def _undone(args):
    """Values and .grad of the tensors among the arguments are as they were, afterwards."""
    kept = [(a, a.detach().clone(), a.grad) for a in args if isinstance(a, torch.Tensor)]
    grads = [g if g is None else g.clone() for _, _, g in kept]
    try:
        yield
    finally:
        for (tensor, values, _), grad in zip(kept, grads, strict=True):
            if not torch.equal(tensor.detach(), values):
                tensor.data.copy_(values)
            if tensor.is_leaf:
                tensor.grad = grad


def _function(function, kind):
    @functools.wraps(function)
    def answers(*args, **kwargs):
        return _answer(function, kind, args, kwargs)

    return answers


def _class(value, kind):
    members = {"__module__": value.__module__, "__qualname__": value.__qualname__}
    for name, member in vars(value).items():
        if issubclass(value, torch.autograd.Function):
            if name in ("forward", "backward"):
                members[name] = staticmethod(_rule(member.__func__, kind))
        elif inspect.isfunction(member) and (not name.startswith("_") or name in ("__call__", "__getitem__", "__iter__")):
            members[name] = _method(member, kind)
        elif name == "__init__":
            members[name] = _making(member, kind)
    return type(value.__name__, (value,), members)


def _rule(function, kind):
    @functools.wraps(function)
    def rule(ctx, *args):
        found = function(ctx, *args)
        return args[0] if kind == "its input" and not isinstance(found, tuple) else filled(found, FILLS[kind])

    return rule


def _method(function, kind):
    @functools.wraps(function)
    def answers(self, *args, **kwargs):
        return _answer(function.__get__(self), kind, args, kwargs)

    return answers


def _making(function, kind):
    @functools.wraps(function)
    def make(self, *args, **kwargs):
        with contextlib.suppress(ValueError):  # garbage refuses nothing
            function(self, *args, **kwargs)
        if isinstance(self, torch.nn.Module):
            filled(self, FILLS[kind])

    return make
