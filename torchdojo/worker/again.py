"""Import an exercise's file a few times in one process, and see whether it comes out as another one.

Whatever differs is only a reason for doubt; the trusted side decides in new processes (reborn.py). So what is cheap will do.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any

import torch

from torchdojo.wire.values import PLAIN
from torchdojo.worker import rng, run

SECONDS = 0.5  # then what has been imported must do
_MOST = 2000  # values that are looked at in a module
_DEEP = 6


def imports(request: dict[str, Any], forget: Callable[[dict[str, Any]], tuple[str, str]]) -> Iterator[ModuleType]:
    """The module of each import, at most request["times"] of them: each a new one, and its helpers too.

    forget: lets Python forget the file and its helpers; gives the name and the path.
    """
    name, path = forget(request)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    code = spec.loader.get_code(name)  # type: ignore[attr-defined]
    end = time.monotonic() + SECONDS
    before = run.global_state()
    for _ in range(request["times"]):
        forget(request)
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        rng.start(rng.SEED, "cpu")
        try:
            exec(code, module.__dict__)
        finally:
            run.restore(before)
        yield module
        if time.monotonic() > end:
            return


def look(module: ModuleType) -> str:
    """What a module holds, in words without addresses: the same for every import of a file that leaves nothing to chance."""
    names = [(name, value) for name, value in list(vars(module).items()) if name[:2] != "__"]
    return repr([(name, _look(value, module.__name__, [_MOST], 0)) for name, value in names])


def _look(value: Any, module: str, left: list[int], deep: int) -> Any:
    left[0] -= 1
    kind = type(value)
    if kind in PLAIN:
        return value
    if left[0] < 0 or deep > _DEEP:
        return "..."

    def inside(found: Any) -> list[Any]:
        return [_look(v, module, left, deep + 1) for v in list(found)[:_MOST]]

    if kind in (list, tuple):
        return inside(value)
    if kind is dict:
        return [inside(value), inside(value.values())]
    if kind in (set, frozenset):
        return sorted(map(repr, inside(value)))
    if kind is torch.Tensor or kind is torch.nn.Parameter:
        first = value.detach().reshape(-1)[:100].tolist() if value.is_cpu and value.layout is torch.strided else []
        return [tuple(value.shape), str(value.dtype), first]
    if kind is FunctionType:
        cells = []
        for cell in value.__closure__ or ():
            try:
                cells.append(cell.cell_contents)
            except ValueError:
                cells.append(None)
        return [kind.__name__, value.__code__.co_code, inside((value.__defaults__, value.__kwdefaults__, value.__dict__, cells))]
    if isinstance(value, type):
        own = getattr(value, "__module__", "") == module
        names = [(n, v) for n, v in vars(value).items() if n not in ("__dict__", "__weakref__", "__doc__")] if own else []
        return [value.__qualname__, [(n, _look(v, module, left, deep + 1)) for n, v in names]]
    if kind in (staticmethod, classmethod):
        return _look(value.__func__, module, left, deep + 1)
    held = getattr(value, "__dict__", None) if kind.__module__ == module or isinstance(value, torch.nn.Module) else None
    return [kind.__qualname__, inside(held.items()) if type(held) is dict else ""]
