"""A CUDA alias: for whole programs that choose `"cuda" if torch.cuda.is_available() else "cpu"` by themselves.

    with alias() as device:                   # torch.device("cuda"), answered by the simulated device
        solution.main()

Inside, "cuda" names the simulated device: in arguments, `.cuda()`, `tensor.device`, autocast, generators, `map_location`,
error texts; torch.cuda says that one is there. Outside, nothing is different. A real GPU is out of reach inside.
Passing torch.device("sim") to the code under test is simpler wherever it takes a device.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import torch
from torch.overrides import TorchFunctionMode

from torchdojo.sim import accelerator, chance, install

_device_of = torch.Tensor.device.__get__
_is_cuda_of = torch.Tensor.is_cuda.__get__  # type: ignore[attr-defined]
_CUDA = torch.device("cuda", 0)
_TEXTS = {torch.Tensor.__repr__, torch.Tensor.__format__, torch.Tensor.type}


def _to_sim(x: Any) -> Any:
    """An argument, with the simulated device's name in place of cuda's."""
    if isinstance(x, torch.device) and x.type == "cuda":
        return torch.device("sim", x.index) if x.index is not None else torch.device("sim")
    if type(x) is str and x.partition(":")[0] == "cuda":
        return "sim" + x[4:]
    return x


def _to_cuda(text: str) -> str:
    for ours, theirs in (("sim:", "cuda:"), ("wrapper_SIM", "wrapper_CUDA"), ("'sim'", "'cuda'"), ("torch.sim.", "torch.cuda.")):
        text = text.replace(ours, theirs)
    return text


class _Names(TorchFunctionMode):
    """Swaps the names on the way into every function of PyTorch, and on the way out."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func is torch.device:
            return func(*args, **kwargs)
        if func in (_device_of, _is_cuda_of):
            answer = _device_of(args[0])
            if func is _is_cuda_of:
                return answer.type in ("sim", "cuda")
            return _CUDA if answer.type == "sim" else answer
        if func is torch.Tensor.cuda:
            func, args, kwargs = torch.Tensor.to, (args[0], "sim"), {k: v for k, v in kwargs.items() if k != "device"}
        try:
            answer = func(*map(_to_sim, args), **{k: _to_sim(v) for k, v in kwargs.items()})
        except (RuntimeError, TypeError, ValueError) as error:
            if _to_cuda(str(error)) == str(error):
                raise
            raise type(error)(_to_cuda(str(error))) from None
        return _to_cuda(answer) if func in _TEXTS and isinstance(answer, str) else answer


def _renaming(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*map(_to_sim, args), **{k: _to_sim(v) for k, v in kwargs.items()})

    return call


_TORCH_CUDA: dict[str, Callable[..., Any]] = {
    "is_available": lambda: True,
    "is_initialized": lambda: True,
    "init": lambda: None,
    "device_count": lambda: 1,
    "current_device": lambda: 0,
    "set_device": lambda device: None,
    "get_device_name": lambda device=None: "Simulated",
    "is_bf16_supported": lambda *args, **kwargs: True,
    "synchronize": lambda device=None: None,
    "empty_cache": lambda: None,
    "manual_seed": chance.seed_all,
    "manual_seed_all": chance.seed_all,
    "initial_seed": lambda: chance.default_generator().initial_seed(),
    "seed": lambda: chance.default_generator().seed(),
    "seed_all": lambda: chance.default_generator().seed(),
    "get_device_capability": lambda device=None: (8, 0),
    "ipc_collect": lambda: None,
    "memory_allocated": lambda device=None: 0,
    "memory_reserved": lambda device=None: 0,
    "max_memory_allocated": lambda device=None: 0,
    "reset_peak_memory_stats": lambda device=None: None,
    "get_rng_state": lambda device="cuda": chance.default_generator().get_state(),
    "set_rng_state": lambda state, device="cuda": chance.default_generator().set_state(state),
    "get_rng_state_all": lambda: [chance.default_generator().get_state()],
    "set_rng_state_all": lambda states: chance.default_generator().set_state(states[0]),
}


@contextlib.contextmanager
def alias() -> Iterator[torch.device]:
    """Within it, "cuda" is the simulated device. Raises RuntimeError where this PyTorch cannot have one."""
    install()
    with contextlib.ExitStack() as stack:
        for name, answer in _TORCH_CUDA.items():
            stack.enter_context(mock.patch.object(torch.cuda, name, answer))
        for owner, name in (
            (torch.autocast, "__init__"),
            (torch.serialization, "default_restore_location"),
            (torch, "set_default_device"),
        ):
            stack.enter_context(mock.patch.object(owner, name, _renaming(getattr(owner, name))))
        stack.enter_context(accelerator.shown("cuda"))
        chance.names.add("cuda")
        stack.callback(chance.names.discard, "cuda")
        names = stack.enter_context(_Names())
        # hooks and custom backwards see the alias, too
        engine = torch.autograd._engine_run_backward  # type: ignore[attr-defined]

        def run_backward(*args: Any, **kwargs: Any) -> Any:
            with names:
                return engine(*args, **kwargs)

        stack.enter_context(mock.patch.object(torch.autograd, "_engine_run_backward", run_backward))
        yield torch.device("cuda")
