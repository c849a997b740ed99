"""How operations run on the simulated device: the CPU's kernel on the same memory, its results relabelled.

One `Kernel` serves any ATen operation. Those that learners' code meets in every step are registered with it beforehand;
all others come to `fallback`. Views go to PyTorch's own metadata-only kernels, so that memory is really shared.
`special` has the operations that need more.
"""

from __future__ import annotations

from typing import Any

import torch

from torchdojo.sim import chance
from torchdojo.sim.memory import CPU, SIM, to_cpu, to_sim
from torchdojo.sim.mixing import Rule, structured

KEY = "PrivateUse1"
aten = torch.ops.aten
CPU_KEYS = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)

# A torch.library.Library unregisters its kernels when it is collected, so they are kept for the life of the process.
libraries: list[torch.library.Library] = []

_Tensor = torch.Tensor
_autocast = torch.is_autocast_enabled
_AUTOCAST_CPU = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastCPU)
_NUMBERS_AS_TENSORS = {"add", "add_", "sub", "sub_", "mul", "mul_", "div", "div_"}  # PyTorch converts 0.1 in x * 0.1 for these
_PLAIN_TYPES = {"int", "float", "bool", "number", "str"}


class Kernel:
    """One operation. The schema is read at the first call."""

    def __init__(self, op: Any) -> None:
        self.op = op
        self.rule: Rule | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The quick way, for calls of tensors and numbers that are all at home; everything else goes to `cross`."""
        if self.rule is None:
            self._learn()
        if not self.plain or (kwargs and not self.plain_keywords):
            return self.cross(args, kwargs)
        across = []
        for x, is_tensor in zip(args, self.is_tensor, strict=False):
            if is_tensor and x is not None:
                if not isinstance(x, _Tensor):
                    x = x if self.takes_numbers else _scalar_tensor(x, args)
                elif x.device == SIM:
                    x = to_cpu(x)
                else:
                    return self.cross(args, kwargs)
            across.append(x)
        op = self.op if not _autocast("cpu") else self.as_written
        result = op(*across, **kwargs)
        if self.written is not None:
            return args[self.written]
        if isinstance(result, _Tensor):
            return to_sim(result)
        return tuple([to_sim(x) if isinstance(x, _Tensor) else x for x in result]) if self.several else result

    def _learn(self) -> None:
        op, rule = self.op, Rule(self.op)
        arguments, returns = op._schema.arguments, op._schema.returns
        self.is_tensor = [_type(a) in ("Tensor", "Optional[Tensor]") for a in arguments]
        simple = [_type(a) in ("Tensor", "Optional[Tensor]") or _is_plain(a) for a in arguments]
        positional = [ok for a, ok in zip(arguments, simple, strict=True) if not a.kwarg_only]
        self.plain_keywords = all(_is_plain(a) for a in arguments if a.kwarg_only)
        self.takes_numbers = rule.packet in _NUMBERS_AS_TENSORS
        self.outs = {a.name for a in arguments if a.kwarg_only and _writes(a)}
        written = [i for i, a in enumerate(arguments) if _writes(a)]
        self.written = written[0] if written and len(returns) == 1 and not self.outs else None
        self.several = len(returns) > 1
        self.plain = all(positional) and (not written or self.written == 0) and not any(_lists(r) for r in returns)
        self.is_view = bool(returns) and returns[0].alias_info is not None and not returns[0].alias_info.is_write
        self.random = torch.Tag.nondeterministic_seeded in op.tags
        self.takes_generator = any(a.name == "generator" for a in arguments)
        self.plain = self.plain and not self.is_view and not self.random
        self.rule = rule

    def cross(self, args: Any, kwargs: dict[str, Any]) -> Any:
        """The general way: lists, out=, generators, devices, tensors from elsewhere."""
        rule = self.rule
        assert rule is not None
        if self.is_view:
            return self.op.redispatch(CPU_KEYS, *args, **kwargs)
        crossing = _Crossing()
        cpu_args = [
            _scalar_tensor(x, args) if is_tensor and isinstance(x, (bool, int, float, complex)) else crossing.enter(x)
            for x, is_tensor in zip(args, self.is_tensor, strict=False)
        ]
        cpu_kwargs = {k: crossing.enter(v, out=k in self.outs) for k, v in kwargs.items()}
        if crossing.strangers:
            if rule.referee is not None:
                return self.op._op_dk(rule.referee, *args, **kwargs)
            rule.check(args, kwargs)
        if not self.random or any(isinstance(x, torch._C.Generator) for x in (*args, *kwargs.values())):
            result = self.as_written(*cpu_args, **cpu_kwargs)
        elif self.takes_generator:
            result = self.as_written(*cpu_args, **cpu_kwargs | {"generator": chance.drawn_from(chance.default_generator())})
        else:
            with chance.Borrowed():
                result = self.as_written(*cpu_args, **cpu_kwargs)
        for alias, x in crossing.outs:  # an out= tensor: the kernel may have resized the alias
            if alias.shape == x.shape:
                to_cpu(x).copy_(alias)
            else:
                point(x, to_sim(alias).untyped_storage(), int(alias.storage_offset()), alias.shape, alias.stride())
        return crossing.leave(result)

    def as_written(self, *args: Any, **kwargs: Any) -> Any:
        """The CPU's kernel, out of reach of torch.autocast("cpu"), which has no say on this device."""
        with torch._C._ExcludeDispatchKeyGuard(_AUTOCAST_CPU):
            return self.op(*args, **kwargs)


def _type(argument: Any) -> str:
    return str(argument.type)


def _is_plain(argument: Any) -> bool:
    """A number, a flag, a size: nothing that lives on a device."""
    inner = _type(argument).replace("Optional[", "").replace("List[", "").rstrip("]")
    return inner in _PLAIN_TYPES


def _writes(argument: Any) -> bool:
    return argument.alias_info is not None and argument.alias_info.is_write


def _lists(returned: Any) -> bool:
    return str(returned.type).startswith("List")


class _Crossing:
    """Carries one call's arguments over to the CPU and its results back."""

    def __init__(self) -> None:
        self.originals: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}  # id of an alias -> (alias, sim tensor)
        self.outs: list[tuple[torch.Tensor, torch.Tensor]] = []
        self.strangers = False

    def enter(self, x: Any, out: bool = False) -> Any:
        if isinstance(x, _Tensor):
            if x.device != SIM:
                self.strangers = True
                self.originals[id(x)] = (x, x)
                return x
            alias = torch.empty(0, dtype=x.dtype, device=CPU) if out else to_cpu(x)
            self.originals[id(alias)] = (alias, x)
            if out:
                self.outs.append((alias, x))
            return alias
        if type(x) in (list, tuple):
            return type(x)([self.enter(y) for y in x])
        if isinstance(x, torch._C.Generator):
            self.strangers = True
            return chance.drawn_from(x)
        return CPU if isinstance(x, torch.device) and x.type == "sim" else x

    def leave(self, x: Any) -> Any:
        if isinstance(x, _Tensor):
            known = self.originals.get(id(x))
            return to_sim(x) if known is None else known[1]
        return type(x)([self.leave(y) for y in x]) if isinstance(x, (list, tuple)) else x


def _scalar_tensor(x: Any, args: Any) -> torch.Tensor:
    """A Python number that arrives where a tensor is declared (x % 2), in the dtype that PyTorch would use for it."""
    others = [a for a in args if isinstance(a, _Tensor)]
    dtype = torch.result_type(to_cpu(others[0]) if others[0].device == SIM else others[0], x) if others else None
    return torch.tensor(x, dtype=dtype, device=CPU)


def point(x: torch.Tensor, storage: Any, offset: int, size: Any, stride: Any) -> torch.Tensor:
    """Let a sim tensor look at other memory."""
    view: torch.Tensor = aten.set_.source_Storage_storage_offset.redispatch(CPU_KEYS, x, storage, offset, size, stride)
    return view


# ------------------------------------------------------------------ registration
# PyTorch would take many operations apart: allocate first, then compute with out=, or from smaller ones. Where CUDA has a
# kernel of its own for the whole, so has this device: the checks come in the same order, and it is twice as fast.
_WHOLE = ("aten::native_layer_norm", "aten::native_group_norm", "aten::mish_backward", "aten::addr")
# These copy one tensor and then write another to a part of it, which may come from another device. CUDA has no kernel of its own.
_TWO_STEPS = {f"aten::{part}_scatter" for part in ("as_strided", "diagonal", "select", "slice")}
_kernels: dict[Any, Kernel] = {}


def fallback(op: Any, *args: Any, **kwargs: Any) -> Any:
    """PyTorch calls this for an operation that has no kernel of its own on this device."""
    kernel = _kernels.get(op)
    if kernel is None:
        kernel = _kernels[op] = Kernel(op)
    return kernel(*args, **kwargs)


def register() -> None:
    """Tell PyTorch's dispatcher about all of the above."""
    everything, own = torch.library.Library("_", "IMPL"), torch.library.Library("aten", "IMPL")
    libraries.extend((everything, own))
    everything.fallback(fallback, KEY)
    composite = torch._C._dispatch_get_registrations_for_dispatch_key("CompositeExplicitAutograd")
    foreach = {name for name in composite if name.startswith("aten::_foreach_") and not name.endswith("out")}
    for name in [*(structured - _TWO_STEPS), *foreach, *_WHOLE]:
        packet, _, overload = name.removeprefix("aten::").partition(".")
        op = getattr(getattr(aten, packet), overload or "default") if name.startswith("aten::") else None
        if op is not None and torch.Tag.inplace_view not in op.tags:  # t_(), unsqueeze_() change the tensor, not its memory
            own.impl(op, Kernel(op), KEY)
