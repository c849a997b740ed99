"""Is the observing code as it was before learner code ran? Reads, name by name, what each name in our modules, in PyTorch
and in Python refers to, and what their functions consist of.

The worker only reads. The trusted side keeps the snapshot from before learner code ran, and compares.
"""

from __future__ import annotations

import random
import sys
import threading
from array import array
from collections.abc import Iterator
from ctypes import Array, c_char
from hashlib import sha256
from types import CellType, FunctionType, ModuleType
from typing import Any

import torch

OURS = ("torchdojo.sandbox.", "torchdojo.sim", "torchdojo.wire.", "torchdojo.worker.")
OTHERS = (
    "torch torch.autograd torch.autograd.function torch.autograd.forward_ad torch.autograd.grad_mode torch.autograd.graph"
    " torch.autograd.profiler torch.library torch.nn torch.nn.functional torch.nn.init torch.nn.modules.module torch.optim"
    " torch.optim.optimizer"
    " torch.overrides torch.random torch.testing torch.utils._python_dispatch torch.utils._pytree torch._ops torch._tensor"
    " torch._tensor_str torch._C torch._C._autograd torch._C._functorch torch._C._nn torch._C._profiler"
    " builtins contextlib copy ctypes fnmatch functools gc io itertools json.encoder linecache math operator os pickle random re"
    " struct threading types warnings weakref"
)
CLASSES: tuple[type, ...] = (
    *(torch.Tensor, torch._C.TensorBase, torch.nn.Module, torch.nn.Parameter, torch.optim.Optimizer, torch.Generator, torch.Size),
    *(torch.autograd.Function, torch.autograd.function.FunctionCtx, torch.utils._python_dispatch.TorchDispatchMode),
    *(torch.nn.Linear, torch.nn.Sequential, torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW, random.Random),
    *(torch._ops.OpOverload, torch._ops.OpOverloadPacket, torch.no_grad, torch.enable_grad, torch.set_grad_enabled),
    *(object, type, int, float, bool, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, FunctionType),
)
for _kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW):
    _kind._patch_step_function(_kind.__new__(_kind))  # PyTorch wraps `step` when the first one is made
_HEAD = object.__basicsize__  # bytes in front of an object's own fields
_POINTER = 8
# the number of fields of each kind that point to its parts: globals, code, defaults, closure; contents; functions
_FIELDS: dict[type, int] = {FunctionType: 8, CellType: 1, staticmethod: 1, classmethod: 1, property: 3}
_CONTAINERS = (dict, list, set)
_WRITTEN = ("_KNOWN", "_LAST")  # as a worker lives
# other things as a worker lives: Python makes these three again in each fork
_LIVING = {"threading": ("_active_limbo_lock", "_shutdown_locks_lock", "_shutdown_locks")}

# PyTorch registers kernels for these when torch.func.vmap is first called
_BATCHED = (
    "addr huber_loss_backward mse_loss_backward nll_loss_backward nll_loss_forward nll_loss2d_backward nll_loss2d_forward"
    " smooth_l1_loss_backward"
)
_OF_VMAP = {f"aten/{name}/FuncTorchBatched" for name in _BATCHED.split()}

Part = tuple[Any, dict[str, Any]]


def parts() -> dict[str, Part]:
    """What is read, by name: a module or class, and the dict of its names."""
    parts_by_name: dict[str, Part] = {}
    for name, module in list(sys.modules.items()):
        if name.startswith(OURS) and type(module) is ModuleType:
            parts_by_name[name] = (module, module.__dict__)
            for value in list(module.__dict__.values()):
                if isinstance(value, type) and value.__module__ == name:
                    parts_by_name[f"{name}.{value.__qualname__}"] = (value, value.__dict__)  # type: ignore[assignment]
    for name in OTHERS.split():
        if name in sys.modules:
            parts_by_name[name] = (sys.modules[name], sys.modules[name].__dict__)
    for one in CLASSES:
        parts_by_name[f"{one.__module__}.{one.__qualname__}"] = (one, one.__dict__)  # type: ignore[assignment]
    return parts_by_name


class Instruments:
    """Everything that is read. It is found once: before a worker is forked, or when it starts."""

    def __init__(self) -> None:
        self.parts = parts()
        self.places: list[int] = []  # of the fields of functions and the like, in memory
        self.fields: list[Array[c_char]] = []  # views of that memory: to read it runs no code, where an attribute calls audit hooks
        self.named: list[str] = []
        self.containers: list[tuple[str, Any]] = []
        self.seen: set[int] = set()
        self.hooks = _hooks_of_all()
        for part, (_, names) in self.parts.items():
            for name, value in list(names.items()):
                self._look_into(f"{part}.{name}", value)
                if part.startswith(OURS) and type(value) in _CONTAINERS and name.isupper() and name not in _WRITTEN:
                    self.containers.append((f"{part}.{name}", value))

    def _look_into(self, name: str, value: Any) -> None:
        """Note its address and its parts."""
        fields = _FIELDS.get(type(value), 0)
        if id(value) in self.seen or not (fields or hasattr(value, "__wrapped__")):
            return
        self.seen.add(id(value))
        if fields:
            self.places.append(id(value) + _HEAD)
            self.fields.append((c_char * (fields * _POINTER)).from_address(self.places[-1]))
            self.named.append(name)
        if isinstance(value, FunctionType) and value.__kwdefaults__:
            self.containers.append((f"the defaults of {name}", value.__kwdefaults__))
        for inner in _inside(value):
            self._look_into(name, inner)

    def read(self) -> bytes:
        """A digest of it all: which object each name stands for, and what the fields of its functions point to."""
        ids = array("Q", (id(sys.modules.get(name)) for name in self.parts if name.startswith(OURS)))
        for part, (whole, names) in self.parts.items():
            ids.append(id(whole))
            ids.extend(map(id, _lasting(part, names).values()))
        for _, container in self.containers:
            ids.append(len(container))
            ids.extend(map(id, container.values() if type(container) is dict else container))
        ids.extend(self.places)
        ids.append(len(torch.library._impls))
        return sha256(b"".join((*self.fields, ids.tobytes(), repr(self.state()).encode()))).digest()

    def names(self) -> list[Any]:
        """The same, name by name, for a look at what differs: [part, its names, what each stands for] of all parts; [names,
        fields] of functions and containers; the state."""
        parts: list[Any] = []
        for part, (whole, names) in self.parts.items():
            items = {"": whole, **_lasting(part, names)}
            if isinstance(whole, ModuleType):
                items["in sys.modules"] = sys.modules.get(part)
            parts.append([part, list(items), [*map(id, items.values())]])
        inner = dict.fromkeys(self.named, "")
        for name, fields in zip(self.named, self.fields, strict=True):
            inner[name] += fields.raw.hex()
        for name, container in self.containers:
            inner[name] = repr([*map(id, container.values() if type(container) is dict else container)])
        modes = self.state() | {"a kernel of PyTorch": _kernels()}
        return [parts, [list(inner), list(inner.values())], list(modes.items())]

    def state(self) -> dict[str, int]:
        """The modes that are on, as numbers."""
        return state() | {"a hook for all modules or optimizers": sum(map(len, self.hooks))}


def _lasting(part: str, names: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in list(names.items()) if name not in _LIVING.get(part, ())}


def _inside(value: Any) -> Iterator[Any]:
    """The parts of a function besides its code."""
    if isinstance(value, FunctionType):
        for cell in value.__closure__ or ():
            yield cell
            try:
                yield cell.cell_contents
            except ValueError:  # it is empty
                continue
    elif isinstance(value, property):
        yield from (value.fget, value.fset)
    elif isinstance(value, (staticmethod, classmethod)):
        yield value.__func__
    wrapped = getattr(value, "__wrapped__", None)
    if type(wrapped) is FunctionType:
        yield wrapped


def _hooks_of_all() -> list[Any]:
    """The dicts of hooks that all modules, or all optimizers, call."""
    names = [vars(sys.modules[name]) for name in ("torch.nn.modules.module", "torch.optim.optimizer")]
    return [held for part in names for name, held in part.items() if name.startswith("_global") and isinstance(held, dict)]


def _kernels() -> int:
    """How many kernels of PyTorch operations are written in Python, without shape kernels and PyTorch's own for vmap."""
    kernels = (key for key in torch.library._impls if key.startswith("aten/") and not key.endswith("/Meta"))
    return sum(key not in _OF_VMAP for key in kernels)


def state() -> dict[str, int]:
    """The modes that are on, as numbers."""
    graph = torch._C._autograd
    return {
        "a function mode of PyTorch": torch._C._len_torch_function_stack(),
        "a dispatch mode of PyTorch": torch._C._len_torch_dispatch_stack(),
        "a transform of torch.func": int(torch._C._functorch.peek_interpreter_stack() is not None),
        "hooks for saved tensors": int(graph._top_saved_tensors_default_hooks(True) is not None),
        "a profiler of PyTorch": int(graph._profiler_enabled()),
        "a level of forward-mode differentiation": torch.autograd.forward_ad._current_level,
        "a dispatch key left out": torch._C._dispatch_tls_local_exclude_set().raw_repr(),
        "a dispatch key put in": torch._C._dispatch_tls_local_include_set().raw_repr(),
        "__torch_function__ of classes": int(torch._C._is_torch_function_enabled()),
        "inference mode": int(torch.is_inference_mode_enabled()),
        "gradient tracking": int(torch.is_grad_enabled()),
        "autocast": int(torch.is_autocast_enabled("cpu")),
        "a profiler": int(sys.getprofile() is not None) + int(threading.getprofile() is not None),
        "a tracer": int(sys.gettrace() is not None) + int(threading.gettrace() is not None),
        "threads": threading.active_count(),
    }


_KNOWN: list[Instruments] = []


def instruments() -> Instruments:
    """Those of this process; the zygote finds them for all of its workers."""
    if not _KNOWN:
        _KNOWN.append(Instruments())
    return _KNOWN[0]
