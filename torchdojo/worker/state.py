"""The global settings of PyTorch: read them, restore them, run code under other settings."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch

from torchdojo.wire.requests import Ambient

State = dict[str, bool | int | str | torch.dtype]  # the values of settings by name


def global_state() -> State:
    """The settings of PyTorch that a function must leave as it found them, but for the seed."""
    return {
        "gradient tracking": torch.is_grad_enabled(),
        "inference mode": torch.is_inference_mode_enabled(),
        "default dtype": torch.get_default_dtype(),
        "default device": default_device(),
        "number of threads": torch.get_num_threads(),
        "deterministic algorithms": torch.are_deterministic_algorithms_enabled(),
        "anomaly detection": torch.is_anomaly_enabled(),
        "precision of float32 products": torch.get_float32_matmul_precision(),
    }


def default_device() -> str:
    """Where tensors are created by default. Asking PyTorch takes 2 us; it is the CPU while no mode is on."""
    return "cpu" if torch._C._len_torch_function_stack() == 0 else str(torch.get_default_device())


def restore(state: State) -> None:
    """Restore the settings, so that the next example starts like this one. Unchanged settings aren't touched: some of
    the setters import 800 modules."""
    now = global_state()
    setters: dict[str, Callable[[Any], Any]] = {
        "gradient tracking": torch.set_grad_enabled,
        "default dtype": torch.set_default_dtype,
        "default device": lambda name: torch.set_default_device(None if name == "cpu" else name),
        "number of threads": torch.set_num_threads,
        "deterministic algorithms": torch.use_deterministic_algorithms,
        "anomaly detection": torch.autograd.set_detect_anomaly,
        "precision of float32 products": torch.set_float32_matmul_precision,
    }
    for name, put_back in setters.items():
        if now[name] != state[name]:
            put_back(state[name])


@contextlib.contextmanager
def default_dtype(dtype: torch.dtype) -> Iterator[None]:
    """Set PyTorch's default dtype within a `with` block, and restore the old one afterwards."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


@contextlib.contextmanager
def ambient(settings: Ambient | None) -> Iterator[None]:
    """Other surroundings than usual, for `verify`: {"threads": 2, "default_dtype": "float64", "no_grad": True}."""
    if not settings:
        yield
        return
    before = global_state()
    try:
        if "threads" in settings:
            torch.set_num_threads(settings["threads"])
        if "default_dtype" in settings:
            torch.set_default_dtype(getattr(torch, settings["default_dtype"]))
        torch.set_grad_enabled(not settings.get("no_grad", False))
        yield
    finally:
        restore(before)
