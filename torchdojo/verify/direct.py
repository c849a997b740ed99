"""The calls that come into a solution from outside, from checks: which functions they reach, and with which other arguments they
could be made."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from random import Random
from types import ModuleType
from typing import Any

import torch

PLAIN = (bool, int, float, str, type(None))
SHOWN = 3  # calls in an example


class DirectCalls:
    """Stands around the functions and methods of a module. Functions that other functions of the module call are left out.

    While `chance` is None the calls are noted. With a random generator, arguments change: those with a default are left out,
    numbers lie between the least and the greatest of the default and what the checks use, and tensors get another size.
    """

    def __init__(self, used: dict[tuple[str, str], list[Any]] | None = None) -> None:
        """used: the plain values that each argument has had, by function and argument."""
        self.chance: Random | None = None
        self.names: set[str] = set()
        self.shown: list[str] = []
        self.used = {} if used is None else used
        self._inside = False

    def around(self, module: ModuleType) -> None:
        """Wrap what the module defines."""
        for name, value in list(vars(module).items()):
            if getattr(value, "__module__", None) != module.__name__:
                continue
            if inspect.isfunction(value):
                setattr(module, name, self._wrapped(name, name, value))
            elif inspect.isclass(value):
                for attribute, function in list(vars(value).items()):
                    if inspect.isfunction(function) and (attribute in ("__init__", "__call__") or not attribute.startswith("__")):
                        shown = {"__init__": name, "__call__": f"{name}(...)"}.get(attribute, f"{name}(...).{attribute}")
                        setattr(value, attribute, self._wrapped(f"{name}.{attribute}", shown, function))

    def _wrapped(self, name: str, shown: str, function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if self._inside:
                return function(*args, **kwargs)
            self._inside = True
            try:
                self.names.add(name)
                bound = self._changed(name, signature, args, kwargs)
                if len(self.shown) < SHOWN:
                    self.shown.append(f"{shown}({', '.join(_texts(bound.args, bound.kwargs, method=shown != name))})")
                return function(*bound.args, **bound.kwargs)
            finally:
                self._inside = False

        return call

    def _changed(
        self, name: str, signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> inspect.BoundArguments:
        bound = signature.bind(*args, **kwargs)
        for argument, value in list(bound.arguments.items()):
            default = signature.parameters[argument].default
            has_default = default is not inspect.Parameter.empty
            used = self.used.setdefault((name, argument), [default] if has_default and type(default) in PLAIN else [])
            if self.chance is None:
                if type(value) in PLAIN and not any(type(value) is type(other) and value == other for other in used):
                    used.append(value)
            elif self.chance.random() < 0.5:
                if has_default and self.chance.random() < 0.5:
                    del bound.arguments[argument]
                elif type(value) in PLAIN and used:
                    bound.arguments[argument] = _another(used, self.chance)
        if self.chance is not None and self.chance.random() < 0.5:
            _resize(bound.arguments, self.chance)
        return bound


def _another(used: list[Any], chance: Random) -> Any:
    kinds = {type(value) for value in used}
    if kinds == {int}:
        return chance.randint(min(used), max(used))
    if kinds <= {int, float} and chance.random() < 0.5:
        return chance.uniform(min(used), max(used))
    return chance.choice(used)


def _resize(arguments: dict[str, Any], chance: Random) -> None:
    """Change one size of the tensors, wherever they have it."""
    tensors = {name: value for name, value in arguments.items() if isinstance(value, torch.Tensor)}
    if sizes := sorted({n for tensor in tensors.values() for n in tensor.shape if n}):
        size = chance.choice(sizes)
        places = torch.arange(chance.randint(1, 2 * size + 2)) % size
        for name, tensor in tensors.items():
            for dim in (d for d, n in enumerate(tensor.shape) if n == size):
                tensor = tensor.index_select(dim, places)
            arguments[name] = tensor


def _texts(args: tuple[Any, ...], kwargs: dict[str, Any], *, method: bool) -> list[str]:
    """Arguments as text, tensors by their shapes. method: the first one is the object."""
    values = [("", value) for value in args[method:]] + [(f"{key}=", value) for key, value in kwargs.items()]
    return [key + (f"<{tuple(value.shape)}>" if isinstance(value, torch.Tensor) else repr(value)[:40]) for key, value in values]
