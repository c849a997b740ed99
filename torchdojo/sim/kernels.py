"""How operations run on the simulated device: check that all tensors live there, run the CPU's kernel on the same memory.

One boxed fallback serves nearly every ATen operation. Views are passed to PyTorch's own metadata-only kernels, so that
memory is really shared. A dozen operations that have no kernel to fall back to are written out below it.
"""

from __future__ import annotations

import functools
from typing import Any

import torch

from torchdojo.sim.memory import CPU, on_sim, to_cpu, to_sim

KEY = "PrivateUse1"
aten = torch.ops.aten
_CPU_KEYS = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)

# A torch.library.Library unregisters its kernels when it is collected, so they are kept for the life of the process.
libraries: list[torch.library.Library] = []
sim_generators: set[int] = set()  # addresses of generators that were made for the device

# What CUDA lets through: 0-dim CPU tensors as scalars of these operations and of all pointwise ones, CPU indices of these.
_SCALARS = {"fill_", "masked_fill", "masked_fill_", "index_fill", "index_fill_", "linspace"}
_SCALARS |= {"_fused_adam_", "_fused_adamw_", "_fused_sgd_", "_fused_adagrad_"}  # lr as a tensor
_INDEXING = {"index", "_unsafe_index", "index_put", "index_put_", "_index_put_impl_", "_unsafe_index_put"}
# CPU tensors that these take by design: lengths of sequences, sections of a split.
_CPU_ARGUMENTS = {("_ctc_loss", "input_lengths"), ("_ctc_loss", "target_lengths"), ("tensor_split", "tensor_indices_or_sections")}
_CPU_ARGUMENTS |= {("_pack_padded_sequence", "lengths"), ("_pad_packed_sequence", "batch_sizes")}


def address_of(generator: Any) -> int:
    """The address of a generator's C++ object, the same for every Python wrapper of it."""
    return int(generator._cdata)


class Facts:
    """What is fixed for an operation: read from its schema once."""

    def __init__(self, op: Any) -> None:
        packet, arguments = op._overloadpacket, op._schema.arguments
        self.name = packet.__name__
        self.arguments = arguments
        pointwise = any(torch.Tag.pointwise in getattr(packet, overload).tags for overload in packet.overloads())
        self.takes_scalars = pointwise or self.name in _SCALARS
        self.takes_indices = self.name in _INDEXING
        self.outs = {a.name for a in arguments if a.kwarg_only and a.alias_info is not None and a.alias_info.is_write}
        self.is_tensor = [isinstance(a.type, torch._C.TensorType) for a in arguments]
        returns = op._schema.returns
        alias = returns[0].alias_info if returns else None
        self.is_view = alias is not None and not alias.is_write


facts = functools.cache(Facts)


# ------------------------------------------------------------------ one device per operation
def check_devices(op: Any, args: Any, kwargs: dict[str, Any]) -> None:
    """Raise what CUDA raises when tensors of an operation live on different devices.

    Most operations never get here with mixed devices: PyTorch's own shape functions complain first.
    """
    known = facts(op)
    first: torch.device | None = None
    given = [*zip(known.arguments, args, strict=False), *((a, kwargs[a.name]) for a in known.arguments if a.name in kwargs)]
    for argument, value in given:
        for t in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(t, torch._C.Generator) and address_of(t) not in sim_generators:
                raise RuntimeError(f"Expected a 'sim' device type for generator but found '{t.device.type}'")
            if not isinstance(t, torch.Tensor) or (not on_sim(t) and _allowed_on_cpu(known, argument.name, t)):
                continue
            first = first or t.device
            if t.device != first:
                raise RuntimeError(
                    f"Expected all tensors to be on the same device, but got {argument.name} is on {t.device}, different "
                    f"from other tensors on {first} (when checking argument in method wrapper_SIM_{known.name})"
                )


def _allowed_on_cpu(known: Facts, argument: str, t: torch.Tensor) -> bool:
    if known.takes_indices and argument == "indices":
        return True
    if (known.name, argument) in _CPU_ARGUMENTS:
        return True
    return t.dim() == 0 and (known.takes_scalars or (known.takes_indices and argument == "values"))


# ------------------------------------------------------------------ the fallback
def fallback(op: Any, *args: Any, **kwargs: Any) -> Any:
    """Run any operation: on CPU aliases of the same memory, its results relabelled."""
    known = facts(op)
    if known.is_view:
        return op.redispatch(_CPU_KEYS, *args, **kwargs)
    crossing = _Crossing()
    cpu_args = [
        _scalar_tensor(x, args) if is_tensor and isinstance(x, (bool, int, float, complex)) else crossing.enter(x)
        for x, is_tensor in zip(args, known.is_tensor, strict=False)
    ]
    cpu_kwargs = {k: crossing.enter(v, out=k in known.outs) for k, v in kwargs.items()}
    if crossing.strangers:
        check_devices(op, args, kwargs)
    result = op(*cpu_args, **cpu_kwargs)
    for alias, x in crossing.outs:  # an out= tensor: the kernel may have resized the alias
        if alias.shape == x.shape:
            to_cpu(x).copy_(alias)
        else:
            _point(x, to_sim(alias).untyped_storage(), int(alias.storage_offset()), alias.shape, alias.stride())
    return crossing.leave(result)


class _Crossing:
    """Carries one call's arguments over to the CPU and its results back."""

    def __init__(self) -> None:
        self.originals: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}  # id of an alias -> (alias, sim tensor)
        self.outs: list[tuple[torch.Tensor, torch.Tensor]] = []
        self.strangers = False

    def enter(self, x: Any, out: bool = False) -> Any:
        if isinstance(x, torch.Tensor):
            if not on_sim(x):
                self.strangers = True
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
        return CPU if isinstance(x, torch.device) and x.type == "sim" else x

    def leave(self, x: Any) -> Any:
        if isinstance(x, torch.Tensor):
            known = self.originals.get(id(x))
            return to_sim(x) if known is None else known[1]
        return type(x)([self.leave(y) for y in x]) if isinstance(x, (list, tuple)) else x


def _scalar_tensor(x: Any, args: Any) -> torch.Tensor:
    """A Python number that arrives where a tensor is declared (x * 0.1), in the dtype that PyTorch would use for it."""
    others = [a for a in args if isinstance(a, torch.Tensor)]
    dtype = torch.result_type(to_cpu(others[0]) if on_sim(others[0]) else others[0], x) if others else None
    return torch.tensor(x, dtype=dtype, device=CPU)


def _point(x: torch.Tensor, storage: Any, offset: int, size: Any, stride: Any) -> torch.Tensor:
    """Let a sim tensor look at other memory."""
    found: torch.Tensor = aten.set_.source_Storage_storage_offset.redispatch(_CPU_KEYS, x, storage, offset, size, stride)
    return found


# ------------------------------------------------------------------ operations without a kernel to fall back to
def _first_device_only(device: torch.device | None) -> None:
    if device is not None and device.index not in (None, 0):
        raise RuntimeError("sim error: invalid device ordinal")


def empty(
    size: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: Any = None, memory_format: Any = None
) -> torch.Tensor:
    _first_device_only(device)
    return to_sim(torch.empty(size, dtype=dtype, device=CPU, memory_format=memory_format or torch.contiguous_format))


def empty_strided(
    size: Any, stride: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: Any = None
) -> torch.Tensor:
    _first_device_only(device)
    return to_sim(torch.empty_strided(size, stride, dtype=dtype, device=CPU))


def copy_between(source: torch.Tensor, target: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    (to_cpu(target) if on_sim(target) else target).copy_(to_cpu(source) if on_sim(source) else source)
    return target


def to_copy(
    x: torch.Tensor, *, dtype: Any = None, layout: Any = None, device: torch.device | None = None, pin_memory: Any = None,
    non_blocking: bool = False, memory_format: Any = None,
) -> torch.Tensor:  # fmt: skip
    """x.to(...) without the pinned memory that PyTorch would ask this device for when non_blocking=True."""
    _first_device_only(device if device is not None and device.type == "sim" else None)
    target = x.device if device is None else device
    there = CPU if target.type == "sim" else target
    found = aten._to_copy.default(to_cpu(x), dtype=dtype, layout=layout, device=there, memory_format=memory_format)
    return to_sim(found) if target.type == "sim" else found


def resize(x: torch.Tensor, size: Any, memory_format: Any = None) -> torch.Tensor:
    fresh = torch.empty(size, dtype=x.dtype, device=CPU)
    storage, offset = x.untyped_storage(), int(x.storage_offset())
    if storage.nbytes() < (offset + fresh.numel()) * x.element_size():
        kept = min(x.numel(), fresh.numel())
        fresh.view(-1)[:kept] = to_cpu(x).reshape(-1)[:kept]
        storage, offset = to_sim(fresh).untyped_storage(), 0
    return _point(x, storage, offset, fresh.shape, fresh.stride())


def convolution(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, *settings: Any) -> torch.Tensor:
    check_devices(aten.convolution.default, (x, weight, bias), {})
    return to_sim(aten.convolution(to_cpu(x), to_cpu(weight), None if bias is None else to_cpu(bias), *settings))


def convolution_backward(
    g: torch.Tensor, x: torch.Tensor, weight: torch.Tensor, stride: Any, padding: Any, dilation: Any, transposed: bool,
    output_padding: Any, groups: int, mask: Any,
) -> tuple[torch.Tensor | None, ...]:  # fmt: skip
    bias_size = [weight.shape[1] * groups if transposed else weight.shape[0]]
    settings = (bias_size, stride, padding, dilation, transposed, output_padding, groups, mask)
    grads = aten.convolution_backward(to_cpu(g), to_cpu(x), to_cpu(weight), *settings)
    return tuple(None if grad is None else to_sim(grad) for grad in grads)


def lstm_cell(xs: Any, hs: Any, c: Any, x_bias: Any = None, h_bias: Any = None) -> Any:
    gates = xs + hs if x_bias is None else xs + hs + x_bias + h_bias
    i, f, g, o = gates.chunk(4, 1)
    new = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * new.tanh(), new, gates


def lstm_cell_backward(grad_h: Any, grad_c: Any, c: Any, new: Any, gates: Any, has_bias: bool) -> Any:
    zeros = torch.zeros_like(gates)
    grads = aten._thnn_differentiable_lstm_cell_backward(grad_h, grad_c, gates, zeros, None, None, c, new)
    return grads[0], grads[2], grads[0].sum(0) if has_bias else gates.new_zeros(0)


def gru_cell(xs: Any, hs: Any, h: Any, x_bias: Any = None, h_bias: Any = None) -> Any:
    xs, hs = (xs, hs) if x_bias is None else (xs + x_bias, hs + h_bias)
    (xr, xz, xn), (hr, hz, hn) = xs.chunk(3, 1), hs.chunk(3, 1)
    z, n = (xz + hz).sigmoid(), (xn + (xr + hr).sigmoid() * hn).tanh()
    return (h - n) * z + n, torch.cat([xs, hs, h], 1)


def gru_cell_backward(grad: Any, workspace: Any, has_bias: bool) -> Any:
    h = workspace.shape[1] // 7
    parts = workspace.split([3 * h, 3 * h, h], 1)
    gx, gh, ghx, _, _ = aten._thnn_differentiable_gru_cell_backward(grad, *parts, None, None)
    none = grad.new_zeros(0)
    return gx, gh, ghx, gx.sum(0) if has_bias else none, gh.sum(0) if has_bias else none


_OWN_KERNELS = {
    "empty.memory_format": empty,
    "empty_strided": empty_strided,
    "_copy_from": copy_between,
    "_to_copy": to_copy,
    "resize_": resize,
    "convolution_overrideable": convolution,
    "convolution_backward_overrideable": convolution_backward,
    "_fused_sdp_choice": lambda *args, **kwargs: 0,  # attention: the plain formula
    "_thnn_fused_lstm_cell": lstm_cell,
    "_thnn_fused_lstm_cell_backward_impl": lstm_cell_backward,
    "_thnn_fused_gru_cell": gru_cell,
    "_thnn_fused_gru_cell_backward": gru_cell_backward,
}


def register() -> None:
    """Tell PyTorch's dispatcher about all of the above."""
    everything, own = torch.library.Library("_", "IMPL"), torch.library.Library("aten", "IMPL")
    libraries.extend((everything, own))
    everything.fallback(fallback, KEY)
    for name, kernel in _OWN_KERNELS.items():
        own.impl(name, kernel, KEY)
    for name in ("mm", "addmm", "bmm", "baddbmm", "addmv"):  # the device error before shape and dtype errors, as on CUDA
        own.impl(name, functools.partial(fallback, getattr(aten, name).default), KEY)
    for overload in ("source_Storage", "source_Storage_storage_offset", "source_Tensor"):
        own.impl(f"set_.{overload}", functools.partial(getattr(aten.set_, overload).redispatch, _CPU_KEYS), KEY)
    for key in (KEY, f"Autograd{KEY}"):  # Module.to and `.data =` keep the parameter objects, as with CUDA
        own.impl("_has_compatible_shallow_copy_type", lambda a, b: {a.device.type, b.device.type} <= {"sim", "cpu"}, key)
    for key in ("Conjugate", "Negative"):  # to_cpu copes with lazily conjugated and negated sources
        own.impl("_copy_from", torch.library.fallthrough_kernel, key)
    own.impl("_pin_memory", lambda x, device=None: x.clone(), "CPU")  # DataLoader(pin_memory=True)
