"""One device per operation: what CUDA refuses when devices are mixed, what it lets through, and its words for it.

CUDA has two ways. Most of its kernels are generated with a check in front: every tensor on one device, without exception.
Those that PyTorch declares with `device_check: NoCheck` leave it to TensorIterator, which lets 0-dim CPU tensors in as
scalars. `_ITERATED` names the latter; `tests/sim/test_device_mixing.py` compares it with PyTorch's own declarations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from torchdojo.sim import chance

# Without the underscore of in-place forms. The families special_* and _foreach_* belong here too.
_ITERATED = set(
    """add sub rsub mul div floor_divide remainder fmod pow atan2 hypot copysign heaviside lerp addcmul addcdiv xlogy
    eq ne lt le gt ge maximum minimum fmax fmin logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor
    bitwise_left_shift bitwise_right_shift __lshift__ __rshift__ __ilshift__ __irshift__ where mse_loss smooth_l1_loss
    binary_cross_entropy masked_fill index_fill fill bernoulli binomial index index_put _unsafe_index _unsafe_index_put
    _index_put_impl set is_set_to""".split()  # noqa: SIM905 (a list of forty strings would be harder to read)
)
# Arguments that may stay on the CPU: indices, lengths of sequences, sections of a split, ends of a range.
_ON_CPU = {
    "index": {"indices"},
    "_unsafe_index": {"indices"},
    "_ctc_loss": {"input_lengths", "target_lengths"},
    "_ctc_loss_backward": {"input_lengths", "target_lengths"},
    "_pack_padded_sequence": {"lengths"},
    "_pad_packed_sequence": {"batch_sizes"},
    "tensor_split": {"tensor_indices_or_sections"},
    "linspace": {"start", "end"},
    "logspace": {"start", "end"},
    "fill": {"self", "value"},  # one of them is read as a number
}
# Arguments that may be anywhere: PyTorch carries indices to the tensor that is written to, and a 0-dim value.
_CARRIED = {name: {"indices"} for name in ("index_put", "_unsafe_index_put", "_index_put_impl")}
_STRUCTURED, _COMPOSITE = "CompositeExplicitAutogradNonFunctional", "CompositeExplicitAutograd"
structured = frozenset(torch._C._dispatch_get_registrations_for_dispatch_key(_STRUCTURED))  # "aten::add.Tensor", ...
_structured_packets = {name.partition(".")[0] for name in structured}


class Rule:
    """What holds for one operation."""

    def __init__(self, op: Any) -> None:
        self.packet, overload = op._overloadpacket.__name__, op._overloadname.removesuffix("default")
        self.name = self.packet if self.packet.endswith("__") else self.packet.rstrip("_")
        self.arguments = op._schema.arguments
        self.iterated = self.name in _ITERATED or self.name.startswith(("special_", "_foreach_")) or overload == "tensor_lr"
        self.on_cpu = _ON_CPU.get(self.name, set())
        self.carried = _CARRIED.get(self.name, set())
        # How PyTorch names the generated functions of CUDA: newer ("structured") ones, and the others.
        newer = self.packet + "_out" * any(a.is_out for a in self.arguments) + "_" * bool(overload) + overload
        self.method = newer if f"aten::{self.packet}" in _structured_packets else f"{overload}_{self.packet}"
        # PyTorch's own device-neutral kernel, if it compares devices as CUDA's does.
        family = _STRUCTURED if op.name() in structured else _COMPOSITE if self.name.startswith("_foreach_") else None
        self.referee = getattr(torch._C.DispatchKey, family) if family and self.iterated else None

    def located(self, args: Any, kwargs: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        """(argument, tensor or generator) for all that lives somewhere."""
        named = zip(self.arguments, args, strict=False)
        for argument, value in [*named, *((a, kwargs[a.name]) for a in self.arguments if a.name in kwargs)]:
            for x in value if isinstance(value, (list, tuple)) else (value,):
                if isinstance(x, (torch.Tensor, torch._C.Generator)):
                    yield argument.name, x

    def check(self, args: Any, kwargs: dict[str, Any]) -> None:
        """Raise what CUDA raises if the tensors of a call live on different devices, or its generator elsewhere."""
        first: torch.device | None = None
        for argument, x in self.located(args, kwargs):
            if isinstance(x, torch._C.Generator):
                if not chance.made_for_device(x):
                    raise RuntimeError(f"Expected a 'sim' device type for generator but found '{x.device.type}'")
                continue
            if argument in self.carried or (self.carried and argument == "values" and x.dim() == 0):
                continue
            scalar = self.iterated and x.dim() == 0 and argument != "mask"
            if x.device.type == "cpu" and (scalar or argument in self.on_cpu):
                continue
            first = first or x.device
            if x.device != first:
                raise RuntimeError(self._words(argument, x.device, first))

    def _words(self, argument: str, device: torch.device, first: torch.device) -> str:
        if argument == "mask" and self.iterated:
            return f"expected self and mask to be on the same device, but got mask on {device} and self on {first}"
        if self.iterated:
            pair = f"{first} and {device}" if first.type != "cpu" else f"{device} and {first}"
            return f"Expected all tensors to be on the same device, but found at least two devices, {pair}!"
        return (
            f"Expected all tensors to be on the same device, but got {argument} is on {device}, different from other"
            f" tensors on {first} (when checking argument in method wrapper_SIM_{self.method})"
        )
