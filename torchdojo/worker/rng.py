"""The global random generators around one run: seeded before it, checked after it.

If `fast` can see that nobody has drawn from a generator, it is not seeded again, and its whole state is not compared.
"""

from __future__ import annotations

import functools
import random
import sys
from collections.abc import Callable
from typing import Any

import torch

from torchdojo.worker import fast
from torchdojo.worker.inputs import memory_of

SEED = 20231  # the global generators are seeded with this, plus the number of the example
OTHER_SEED = 97  # the same for the repetition of a run

_cpu = torch.default_generator


def start(seed: int, device: str) -> tuple[bytes | None, bytes | None]:
    """Seed all global generators. What comes back is for `drawn`.

    Those of Python and NumPy know two seeds, one for runs and one for repetitions, so that they can stay as they are while
    nobody uses them; a repetition of what has not drawn from one finds it as the first run did.
    """
    if device.startswith(("cpu", "sim")) and not torch.cuda.is_initialized():
        # 1 us; torch.manual_seed looks for accelerators: 75 us, and 3 ms once there is one
        _cpu.manual_seed(seed)
        if device == "sim":
            torch.get_device_module("sim").manual_seed_all(seed)
    else:
        torch.manual_seed(seed)
    of_run = SEED if seed >= SEED else OTHER_SEED
    for generator in _others():
        generator.start(of_run)
    look = fast.of_torch()
    return look() if look else None, None if device == "cpu" else _state_on(device)


def drawn(seed: int, device: str, before: tuple[bytes | None, bytes | None]) -> bool:
    """Has PyTorch's generator been used since start(seed, device), that of the CPU or that of the device?"""
    look = fast.of_torch()
    if look is None or look() != before[0]:
        now = _state()
        _cpu.manual_seed(seed)
        if now != _state():
            return True
    return device != "cpu" and _state_on(device) != before[1]


def _state() -> bytes:
    return memory_of(_cpu.get_state())


def _state_on(device: str) -> bytes:
    return memory_of(torch.get_device_module(device).get_rng_state())


class Seeded:
    """A generator that is seeded again only where it has another seed, or was used."""

    def __init__(self, seed: Callable[[int], Any], look: fast.Look | None) -> None:
        self.seed, self.look = seed, look
        self.last: tuple[int, bytes] | None = None

    def start(self, seed: int) -> None:
        """Let it be as after seed(seed)."""
        if self.look and self.last and self.look() == self.last[1] and (seed == OTHER_SEED or seed == self.last[0]):
            return
        self.seed(seed)
        self.last = (seed, self.look()) if self.look else None


def _others() -> list[Seeded]:
    return [_pythons(), _numpys()] if "numpy" in sys.modules else [_pythons()]


@functools.cache
def _pythons() -> Seeded:
    return Seeded(random.seed, fast.of_python())


@functools.cache
def _numpys() -> Seeded:
    import numpy

    return Seeded(numpy.random.seed, fast.of_numpy())
