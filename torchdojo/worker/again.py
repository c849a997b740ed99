"""Import an exercise's file several times in one process, and compare what each import leaves behind.

A difference is only a reason for doubt; the trusted side decides in new processes (reimport.py). So a cheap test is enough
here.
"""

from __future__ import annotations

import copyreg
import dataclasses
import functools
import importlib.util
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, GenericAlias, GetSetDescriptorType, MethodType, ModuleType, UnionType
from typing import Any

import torch

from torchdojo.wire.requests import Load
from torchdojo.wire.values import PLAIN
from torchdojo.worker import rng
from torchdojo.worker.state import global_state, restore

SECONDS = 0.5  # of processor time; a file that takes more is doubted
_MOST = 2000  # values that are looked at in a module, and elements of a tensor
_DEEP = 20
_BORN_WITH = ("__loader__", "__spec__", "__builtins__")
_OF_A_CLASS = ("__dict__", "__weakref__")
_EMPTY = type("_Empty", (), {}).__basicsize__  # bytes of an object that holds nothing but its __dict__
# kinds whose values hold nothing that a call could change, so that their name is enough
_FIXED: tuple[type, ...] = (torch.dtype, torch.device, torch.Size, BuiltinFunctionType, GenericAlias, UnionType)
_FIXED += (type(Ellipsis), slice, range, object)
_FIXED += (type(str.join), type(object.__init__), type(dict.__dict__["fromkeys"]), type(FunctionType.__dict__["__globals__"]))
_FIXED += (GetSetDescriptorType,)
_note_slots: Callable[[type], Any] = vars(copyreg)["_slotnames"]  # what copy and pickle leave in the class of an object
_FIXED_IN = ("typing", "__future__", "dataclasses", "_abc")


def imports(request: Load, times: int, forget: Callable[[Load], tuple[str, str]]) -> Iterator[ModuleType]:
    """Import the file up to `times` times; yields each new module. Its helpers are imported again, too.

    forget: lets Python forget the file and its helpers; gives the name and the path.
    """
    name, path = forget(request)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    code = spec.loader.get_code(name)  # type: ignore[attr-defined]
    end = time.process_time() + SECONDS
    before = global_state()
    for _ in range(times):
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        rng.start(rng.SEED, "cpu")
        try:
            exec(code, module.__dict__)
        finally:
            if global_state() != before:
                restore(before)
        yield module
        if next(reversed(sys.modules)) == name:
            del sys.modules[name]
        else:  # more was imported: helpers, it may be
            forget(request)
        if time.process_time() > end:
            return


def look(module: ModuleType) -> tuple[str, bool]:
    """The contents of a module, as text without addresses: equal for every import of a deterministic file.

    And is that all? If so, and if it is the same after the calls as before, then no call has left anything there.
    """
    looking = _Look(module)
    names = [(name, looking.at(value, 0)) for name, value in list(vars(module).items()) if name not in _BORN_WITH]
    return repr(names), looking.whole


class _Look:
    def __init__(self, module: ModuleType) -> None:
        self.module, self.left, self.whole = module, _MOST, True
        self.seen: dict[int, int] = {}
        self.kept: list[Any] = []  # otherwise a new object may get the address of one that was seen

    def inside(self, values: Any, deep: int) -> list[Any]:
        values = list(values)
        if len(values) > _MOST:
            self.whole = False
        return [self.at(value, deep + 1) for value in values[:_MOST]]

    def at(self, value: Any, deep: int) -> Any:
        self.left -= 1
        kind = type(value)
        if kind in PLAIN:
            return value
        if id(value) in self.seen:
            return ["number", self.seen[id(value)]]
        if self.left < 0 or deep > _DEEP:
            self.whole = False
            return "..."
        self.seen[id(value)] = len(self.seen)
        self.kept.append(value)
        if kind in (list, tuple):
            return self.inside(value, deep)
        if kind in (dict, OrderedDict):
            return [self.inside(value, deep), self.inside(value.values(), deep)]
        if kind in (set, frozenset):
            return sorted(map(repr, self.inside(value, deep)))
        if kind is torch.Tensor or kind is torch.nn.Parameter:
            return self.tensor(value, deep)
        if kind is FunctionType:
            return self.function(value, deep)
        if kind is ModuleType:
            return value.__name__
        if isinstance(value, type):
            own = getattr(value, "__module__", "") == self.module.__name__
            if own:
                _note_slots(value)
            names = [(n, v) for n, v in vars(value).items() if n not in _OF_A_CLASS] if own else []
            return [value.__qualname__, [(n, self.at(v, deep + 1)) for n, v in names]]
        if kind in (staticmethod, classmethod):
            return self.at(value.__func__, deep + 1)
        if kind is property:
            return self.inside((value.fget, value.fset, value.fdel), deep)
        if kind is MethodType:
            return self.inside((value.__func__, value.__self__), deep)
        if kind is functools.partial:
            return self.inside((value.func, value.args, value.keywords, value.__dict__), deep)
        return self.instance(value, deep)

    def instance(self, value: Any, deep: int) -> Any:
        kind = type(value)
        if kind is dataclasses.Field:
            return self.inside((value.name, value.default, value.default_factory), deep)
        if kind in _FIXED or kind.__module__ in _FIXED_IN:
            return [kind.__qualname__, str(getattr(value, "__name__", "")) or (repr(value) if kind.__module__ == "torch" else "")]
        held = getattr(value, "__dict__", None)
        slots = any("__slots__" in vars(one) for one in kind.__mro__)
        if type(held) is not dict or slots or kind.__basicsize__ > _EMPTY or kind.__itemsize__:
            self.whole = False
        return [kind.__qualname__, self.inside(held.items(), deep) if type(held) is dict else ""]

    def tensor(self, value: Any, deep: int) -> Any:
        plain = value.is_cpu and value.layout is torch.strided
        if not plain or value.numel() > _MOST or value.grad_fn is not None:
            self.whole = False
        first = value.detach().reshape(-1)[:_MOST].tolist() if plain else []
        held = self.inside((value.grad if value.is_leaf else None, value.__dict__), deep)
        return [tuple(value.shape), str(value.dtype), value._version, value.requires_grad, first, held]

    def function(self, value: Any, deep: int) -> Any:
        names = value.__globals__
        home = sys.modules.get(str(names.get("__name__")))
        if names is not self.module.__dict__ and (home is None or names is not home.__dict__):
            self.whole = False
        cells = []
        for cell in value.__closure__ or ():
            try:
                cells.append(cell.cell_contents)
            except ValueError:
                cells.append(None)
        held = (value.__name__, value.__doc__, value.__defaults__, value.__kwdefaults__, value.__dict__, cells)
        return ["function", _code(value.__code__), self.inside(held, deep)]


def _code(code: CodeType) -> Any:
    constants = [_code(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    return [code.co_code, code.co_names, constants]
