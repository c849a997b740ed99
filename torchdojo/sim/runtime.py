"""What surrounds tensors on the simulated device: the module torch.sim, generators, autocast, saving and loading."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import torch

from torchdojo.sim import chance
from torchdojo.sim.kernels import KEY, aten, libraries
from torchdojo.sim.memory import CPU, on_sim, to_sim

# The lists that torch.autocast uses for accelerators: operations in the low precision, and operations in float32.
_LOWER = """_convolution conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d convolution prelu addmm addmv
addr matmul einsum mm mv linear addbmm baddbmm bmm lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell scaled_dot_product_attention"""
_FLOAT32 = """exp expm1 log log10 log2 log1p reciprocal rsqrt pow softplus layer_norm native_layer_norm rms_norm group_norm
cosine_similarity poisson_nll_loss nll_loss nll_loss2d kl_div l1_loss smooth_l1_loss huber_loss mse_loss soft_margin_loss
binary_cross_entropy_with_logits cdist logsumexp prod softmax log_softmax cumprod cumsum linalg_vector_norm sum norm"""

_BANNED = (
    "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.\n"
    "Many models use a sigmoid layer right before the binary cross entropy layer.\n"
    "In this case, combine the two layers using torch.nn.functional.binary_cross_entropy_with_logits\n"
    "or torch.nn.BCEWithLogitsLoss.  binary_cross_entropy_with_logits and BCEWithLogits are\n"
    "safe to autocast."
)


class Backend:
    """torch.sim: to this device what torch.cuda is to CUDA."""

    is_available = is_initialized = staticmethod(lambda: True)
    _is_in_bad_fork = staticmethod(lambda: False)
    _initialized = True  # torch.utils.checkpoint asks before it keeps the state of the random numbers
    device = staticmethod(lambda index=0: contextlib.nullcontext())
    device_count = staticmethod(lambda: 1)
    current_device = staticmethod(lambda: 0)
    set_device = synchronize = staticmethod(lambda *args: None)
    manual_seed = manual_seed_all = staticmethod(chance.seed_all)
    empty_cache = staticmethod(lambda: None)
    get_rng_state = staticmethod(lambda device="sim": chance.default_generator().get_state())
    set_rng_state = staticmethod(lambda state, device="sim": chance.default_generator().set_state(state))
    get_amp_supported_dtype = staticmethod(lambda: [torch.float16, torch.bfloat16])


def register_backend() -> None:
    """Give PyTorch's free device slot the name 'sim', hooks, and the module torch.sim."""
    # versions before 2.10 lack it, and `why_not` says so
    from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

    _setup_privateuseone_for_python_backend("sim", backend_module=Backend())


def register_surroundings() -> None:
    """Autocast, torch.load, copies of storages, generators."""
    _register_autocast()

    def moved(storage: Any) -> Any:
        whole = torch.empty(0, dtype=torch.uint8, device=CPU).set_(storage)
        return to_sim(whole.clone()).untyped_storage()

    torch.serialization.register_package(  # torch.load(..., map_location="sim")
        5, lambda storage: None, lambda storage, where: moved(storage) if where.split(":")[0] == "sim" else None
    )
    clone: Callable[[Any], Any] = torch.UntypedStorage.clone  # used by copy.deepcopy of a model or a state dict
    torch.UntypedStorage.clone = (  # type: ignore[method-assign]
        lambda storage: moved(storage.cpu()) if storage.device.type == "sim" else clone(storage)
    )
    plain_new = torch.UntypedStorage.__new__

    def new(cls: Any, *args: Any, device: Any = None, **kwargs: Any) -> Any:  # PyTorch finds no allocator and crashes
        made = plain_new(cls, *args, **kwargs) if device is not None and torch.device(device).type == "sim" else None
        return moved(made) if made is not None else plain_new(cls, *args, **kwargs | ({"device": device} if device else {}))

    torch.UntypedStorage.__new__ = new  # type: ignore[method-assign]
    torch.Generator = chance.Generator  # type: ignore[misc]


# ------------------------------------------------------------------ autocast
_AUTOCAST = torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, f"Autocast{KEY}"))


def _casting(op: Any, dtype_now: Any) -> Any:
    """A kernel that casts floating sim tensors to dtype_now() and goes on."""

    def kernel(*args: Any, **kwargs: Any) -> Any:
        dtype = dtype_now()

        def cast(x: Any) -> Any:
            if isinstance(x, torch.Tensor):
                wanted = on_sim(x) and x.is_floating_point() and x.dtype is not torch.float64
                return x.to(dtype) if wanted else x
            return [cast(y) for y in x] if isinstance(x, (list, tuple)) else x

        with torch._C._ExcludeDispatchKeyGuard(_AUTOCAST):
            return op(*map(cast, args), **{k: cast(v) for k, v in kwargs.items()})

    return kernel


def _refused(*args: Any, **kwargs: Any) -> Any:
    """log(0) is too near in a low precision."""
    raise RuntimeError(_BANNED)


def _register_autocast() -> None:
    everything, own = libraries[0], libraries[1]
    own.impl("binary_cross_entropy", _refused, f"Autocast{KEY}")
    everything.fallback(torch.library.fallthrough_kernel, f"Autocast{KEY}")
    for names, dtype_now in ((_LOWER, lambda: torch.get_autocast_dtype("sim")), (_FLOAT32, lambda: torch.float32)):
        for packet in (getattr(aten, name) for name in names.split()):
            for op in (getattr(packet, overload) for overload in packet.overloads() if "out" not in overload):
                if any(isinstance(a.type, torch._C.TensorType) for a in op._schema.arguments):
                    own.impl(op, _casting(op, dtype_now), f"Autocast{KEY}")
