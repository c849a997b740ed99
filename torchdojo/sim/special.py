"""Operations that need more on the simulated device than the CPU's kernel on the same memory.

Those that make memory, move it or point elsewhere, and those that PyTorch computes differently off the CPU, where there is
no CPU kernel to go to: convolutions, and the fused cells of LSTM and GRU, written out as the formulas that they are.
"""

from __future__ import annotations

import functools
from typing import Any

import torch

from torchdojo.sim.accelerator import first_only
from torchdojo.sim.kernels import CPU_KEYS, KEY, Kernel, aten, libraries, point
from torchdojo.sim.memory import CPU, on_sim, to_cpu, to_sim


def empty(
    size: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: Any = None, memory_format: Any = None
) -> torch.Tensor:
    first_only(device)
    return to_sim(torch.empty(size, dtype=dtype, device=CPU, memory_format=memory_format or torch.contiguous_format))


def empty_strided(
    size: Any, stride: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: Any = None
) -> torch.Tensor:
    first_only(device)
    return to_sim(torch.empty_strided(size, stride, dtype=dtype, device=CPU))


def copy_between(source: torch.Tensor, target: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    (to_cpu(target) if on_sim(target) else target).copy_(to_cpu(source) if on_sim(source) else source)
    return target


def to_copy(
    x: torch.Tensor, *, dtype: Any = None, layout: Any = None, device: torch.device | None = None, pin_memory: Any = None,
    non_blocking: bool = False, memory_format: Any = None,
) -> torch.Tensor:  # fmt: skip
    """x.to(...) without the pinned memory that PyTorch would ask this device for when non_blocking=True."""
    first_only(device if device is not None and device.type == "sim" else None)
    target = x.device if device is None else device
    there = CPU if target.type == "sim" else target
    copy = aten._to_copy.default(to_cpu(x), dtype=dtype, layout=layout, device=there, memory_format=memory_format)
    return to_sim(copy) if target.type == "sim" else copy


def resize(x: torch.Tensor, size: Any, memory_format: Any = None) -> torch.Tensor:
    if tuple(x.shape) == tuple(size) and memory_format is None:
        return x  # strides and all
    fresh = torch.empty(size, dtype=x.dtype, device=CPU, memory_format=memory_format or torch.contiguous_format)
    storage, offset = x.untyped_storage(), int(x.storage_offset())
    if storage.nbytes() < (offset + fresh.numel()) * x.element_size():
        larger = torch.empty(offset + fresh.numel(), dtype=x.dtype, device=CPU)
        old = to_cpu(torch.empty(0, dtype=x.dtype, device=x.device).set_(storage))
        larger[: old.numel()] = old
        storage = to_sim(larger).untyped_storage()
    return point(x, storage, offset, fresh.shape, fresh.stride())


_convolve = Kernel(aten.convolution.default).as_written


def convolution(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, *settings: Any) -> torch.Tensor:
    for name, other in (("weight", weight), ("bias", bias)):
        if other is not None and other.type() != x.type():
            raise RuntimeError(f"Input type ({x.type()}) and {name} type ({other.type()}) should be the same")
    return to_sim(_convolve(to_cpu(x), to_cpu(weight), None if bias is None else to_cpu(bias), *settings))


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
    own = libraries[1]
    for name, kernel in _OWN_KERNELS.items():
        own.impl(name, kernel, KEY)
    metadata = [aten.set_.source_Storage, aten.set_.source_Storage_storage_offset, aten.set_.source_Tensor]
    for op in [*metadata, aten.as_strided.default, aten.view.default]:
        own.impl(op, functools.partial(op._handle.redispatch_boxed, CPU_KEYS), KEY)
    for key in (KEY, f"Autograd{KEY}"):  # Module.to and `.data =` keep the parameter objects, as with CUDA
        own.impl("_has_compatible_shallow_copy_type", lambda a, b: {a.device.type, b.device.type} <= {"sim", "cpu"}, key)
    for key in ("Conjugate", "Negative"):  # to_cpu copes with lazily conjugated and negated sources
        own.impl("_copy_from", torch.library.fallthrough_kernel, key)
    own.impl("_pin_memory", lambda x, device=None: x.clone(), "CPU")  # DataLoader(pin_memory=True)
