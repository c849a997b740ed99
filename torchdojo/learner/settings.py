"""Global settings in a process that many exercises share: read them, restore them, and name those that changed.

A learner's file is imported, and its functions are called, in the same process as all others. A change there (the
default dtype of PyTorch, NumPy's error handling, the current folder, `torch.relu` itself) must not affect the next exercise.
"""

from __future__ import annotations

import builtins
import contextlib
import gc
import math
import os
import random
import sys
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import torch

import torchdojo
from torchdojo.judge import compare
from torchdojo.learner import asserts
from torchdojo.worker.state import global_state, restore

TORCH = (torch, torch.Tensor, torch.nn, torch.nn.functional, torch.autograd, torch.optim, torch.testing)
OWNERS: tuple[Any, ...] = (*TORCH, os, sys, math, random, np, warnings, torchdojo, asserts, compare)
"""The modules and classes whose names are put back when somebody has replaced them."""
LAZY = ("manual_seed", "Storage")  # PyTorch replaces these itself: when it imports a part of its own, for another default dtype


def _folder() -> str | None:
    try:
        return os.getcwd()  # noqa: PTH109 (as text, to go back to)
    except OSError:  # it was deleted
        return None


def _back_to(folder: str | None) -> None:
    if folder is not None:
        with contextlib.suppress(OSError):
            os.chdir(folder)


def _filters() -> list[Any]:
    return list(warnings.filters)


def _put_filters(filters: list[Any]) -> None:
    warnings.resetwarnings()  # this also makes Python read the filters again
    warnings.filters[:] = filters  # type: ignore[index]


def _environment() -> dict[str, str]:
    return dict(os.environ)


def _put_environment(variables: dict[str, str]) -> None:
    for name in [name for name in os.environ if name not in variables]:
        del os.environ[name]
    os.environ.update({name: value for name, value in variables.items() if os.environ.get(name) != value})


def _small_numbers_vanish() -> bool:
    """Does the processor take the smallest floats for 0 (torch.set_flush_denormal)?"""
    return sys.float_info.min * 0.5 == 0.0


def _printed() -> dict[str, Any]:
    return dict(vars(torch._tensor_str.PRINT_OPTS))


def _autocast() -> tuple[bool, torch.dtype]:
    return torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")


def _put_autocast(autocast: tuple[bool, torch.dtype]) -> None:
    torch.set_autocast_enabled("cpu", autocast[0])
    torch.set_autocast_dtype("cpu", autocast[1])


def _put_collecting(enabled: bool) -> None:
    (gc.enable if enabled else gc.disable)()


NAMED: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "autocast": (_autocast, _put_autocast),
    "flushing of denormal numbers": (_small_numbers_vanish, torch.set_flush_denormal),
    "NumPy's error handling": (np.geterr, lambda value: np.seterr(**value)),
    "the warnings filters": (_filters, _put_filters),
    "the recursion limit": (sys.getrecursionlimit, sys.setrecursionlimit),
    "the current folder": (_folder, _back_to),
    "environment variables": (_environment, _put_environment),
    "sys.path": (lambda: list(sys.path), lambda value: sys.path.__setitem__(slice(None), value)),
    "sys.stdout": (lambda: sys.stdout, lambda value: setattr(sys, "stdout", value)),
    "sys.stderr": (lambda: sys.stderr, lambda value: setattr(sys, "stderr", value)),
}
LISTS = ("the warnings filters", "environment variables", "sys.path", "sys.stdout", "sys.stderr")
UNNAMED: tuple[tuple[Callable[[], Any], Callable[[Any], Any]], ...] = (
    (random.getstate, random.setstate),
    (_printed, lambda value: vars(torch._tensor_str.PRINT_OPTS).update(value)),
    (np.get_printoptions, lambda value: np.set_printoptions(**value)),
    (gc.isenabled, _put_collecting),
)
"""What has no bearing on right and wrong, and is put back without being named; the generators of PyTorch and NumPy too."""
OF_PYTORCH = ("TORCH", "PYTORCH", "TRITON", "KMP_", "CUBLAS_", "CUDA_", "DISABLE_CUPTI", "TEARDOWN_CUPTI")
"""How the environment variables begin that PyTorch itself sets, with the first optimizer for example."""


class Settings:
    """The settings as they are now."""

    def __init__(self) -> None:
        self.of_torch = global_state()
        self.named = {name: get() for name, (get, _) in NAMED.items()}
        self.unnamed = [get() for get, _ in UNNAMED]
        self.seeds = torch.get_rng_state(), np.random.get_state()
        self.owned = [dict(vars(owner)) for owner in OWNERS]
        self.builtins = dict(vars(builtins))
        self.modules = set(sys.modules)

    def put_back(self) -> list[str]:
        """Restore the settings that differ now, and name them."""
        python = vars(builtins)  # first, and by methods alone: any function of Python's may be among them
        changed = [f"builtins.{name}" for name, value in self.builtins.items() if python.get(name) is not value and name != "_"]
        python.update(self.builtins)
        for name in [name for name in python if name not in self.builtins and name != "_"]:
            del python[name]
            changed.append(f"builtins.{name}")
        changed += self._replaced()
        now = global_state()
        changed += [name for name, value in self.of_torch.items() if now[name] != value]
        if now["inference mode"] != self.of_torch["inference mode"]:
            _kept.append(torch.inference_mode(bool(self.of_torch["inference mode"])))  # the mode ends with the object that began it
            _kept[-1].__enter__()
        restore(self.of_torch)
        for name, (get, put) in NAMED.items():
            if (value := get()) != self.named[name]:
                put(self.named[name])
                if not self._is_of_a_package(name, value):
                    changed.append(name)
        for before, (get, put) in zip(self.unnamed, UNNAMED, strict=True):
            if get() != before:
                put(before)
        torch.set_rng_state(self.seeds[0])
        np.random.set_state(self.seeds[1])
        return changed

    def own(self) -> Callable[[], None]:
        """Restores the current settings of Python and NumPy where they differ from these. Those of PyTorch, and
        replaced names, are not among it: grading puts them back as well before an exercise's functions are called."""
        changed = [(put, now) for name, (get, put) in NAMED.items() if name not in LISTS and (now := get()) != self.named[name]]
        path, folders = [p for p in sys.path if p not in self.named["sys.path"]], self.named["sys.path"]
        first = [p for p in path if folders and folders[0] in sys.path and sys.path.index(p) < sys.path.index(folders[0])]
        filters = [f for f in warnings.filters if f not in self.named["the warnings filters"]]
        variables = {k: v for k, v in os.environ.items() if self.named["environment variables"].get(k) != v}

        def put() -> None:
            for setting, value in changed:
                setting(value)
            sys.path[:] = first + sys.path + [p for p in path if p not in first]
            if filters:
                _put_filters([*filters, *warnings.filters])
            os.environ.update(variables)

        return put

    def _is_of_a_package(self, name: str, now: Any) -> bool:
        """May a package have changed this setting to its current value, rather than the learner's code?"""
        if name == "environment variables":
            before = self.named[name]
            return all(one.startswith(OF_PYTORCH) for one in {*before, *now} if before.get(one) != now.get(one))
        return name == "the warnings filters" and self._a_package_was_imported()

    def _a_package_was_imported(self) -> bool:
        """Has a package been imported since? Parts of PyTorch are imported on first use, and add warnings filters of their own."""
        files = [getattr(module, "__file__", None) for name, module in list(sys.modules.items()) if name not in self.modules]
        return any(isinstance(file, str) and "site-packages" in file for file in files)

    def _replaced(self) -> list[str]:
        """Names in modules that refer to something else now; what PyTorch has imported since doesn't count."""
        changed = []
        for owner, before in zip(OWNERS, self.owned, strict=True):
            now = vars(owner)
            lost = [n for n, v in before.items() if now.get(n, _GONE) is not v and n not in LAZY]
            lost = [n for n in lost if not isinstance(now.get(n), ModuleType)]
            added = [n for n, v in list(now.items()) if n not in before and _is_a_learners(n, v)] if len(now) != len(before) else []
            with contextlib.suppress(AttributeError, TypeError):  # a metaclass may refuse
                for name in lost:
                    type.__setattr__(owner, name, before[name]) if isinstance(owner, type) else setattr(owner, name, before[name])
                for name in added:
                    delattr(owner, name)
            # sys.stdout and the like have a line of their own
            changed += [f"{owner.__name__}.{name}" for name in lost + added if owner is not sys and not name.startswith("_")]
        return changed


_GONE = object()
_kept: list[Any] = []
_OURS = sys.stdlib_module_names | {"torch", "numpy", "torchdojo", "_pytest", "pytest"}


def _is_a_learners(name: str, value: Any) -> bool:
    """Is an added name a function or class of the exercise, and not one that a package has added to itself?"""
    module = sys.modules.get(str(getattr(value, "__module__", None)))
    file = getattr(module, "__file__", None)
    known = str(getattr(module, "__name__", "")).partition(".")[0] in _OURS
    return not name.startswith("_") and callable(value) and isinstance(file, str) and "site-packages" not in file and not known
