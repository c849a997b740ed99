"""The global random generators around one run: seeded before it, checked after it."""

from __future__ import annotations

import random
import sys

import torch

from torchdojo.worker.inputs import memory_of

SEED = 20231  # the global generators are seeded with this, plus the number of the example
OTHER_SEED = 97  # the same for the repetition of a run

_cpu = torch.default_generator


def start(seed: int, device: str) -> bytes | None:
    """Seed all global generators. Returns the state of the device's own generator, for `drawn`; None on the CPU.

    Those of Python and NumPy get one of two seeds, one for runs and one for repetitions.
    """
    if device.startswith(("cpu", "sim")) and not torch.cuda.is_initialized():
        # 1 us; torch.manual_seed looks for accelerators: 75 us, and 3 ms once there is one
        _cpu.manual_seed(seed)
        if device == "sim":
            torch.get_device_module("sim").manual_seed_all(seed)
    else:
        torch.manual_seed(seed)
    of_run = SEED if seed >= SEED else OTHER_SEED
    random.seed(of_run)
    if "numpy" in sys.modules:
        import numpy  # only if it was imported

        numpy.random.seed(of_run)
    return None if device == "cpu" else _state_on(device)


def drawn(seed: int, device: str, before: bytes | None) -> bool:
    """Has PyTorch's generator been used since start(seed, device), that of the CPU or that of the device?"""
    now = _state()
    _cpu.manual_seed(seed)
    return now != _state() or (device != "cpu" and _state_on(device) != before)


def _state() -> bytes:
    return memory_of(_cpu.get_state())


def _state_on(device: str) -> bytes:
    return memory_of(torch.get_device_module(device).get_rng_state())
