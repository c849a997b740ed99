"""The global random generators around one run: seeded before it, looked at after it.

Three generators have 2.5 kB of state each. Seeding all of them and copying states for every run would leave nothing else in the
processor's first cache, which costs a small check more than the check itself. So the first bytes of a state are read where they
lie in memory: while they stand as they did, nobody has drawn. Whether they tell that is tried once for each generator, and
where they do not, the whole state is compared, or the generator seeded again.
"""

from __future__ import annotations

import functools
import random
import sys
from collections.abc import Callable
from ctypes import string_at
from typing import Any

import torch

from torchdojo.worker.inputs import memory_of

SEED = 20231  # the global generators are seeded with this, plus the number of the example
OTHER_SEED = 97  # the same for the repetition of a run

Look = Callable[[], bytes]
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
    look = _of_torch()
    return look() if look else None, None if device == "cpu" else _state_on(device)


def drawn(seed: int, device: str, before: tuple[bytes | None, bytes | None]) -> bool:
    """Has PyTorch's generator been used since start(seed, device), that of the CPU or that of the device?"""
    look = _of_torch()
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

    def __init__(self, seed: Callable[[int], Any], draw: Callable[[], Any], look: Look | None) -> None:
        self.seed = seed
        self.look = look if look and tells(look, seed, draw) else None
        self.last: tuple[int, bytes] | None = None

    def start(self, seed: int) -> None:
        """Let it be as after seed(seed)."""
        if self.look and self.last and self.look() == self.last[1] and (seed == OTHER_SEED or seed == self.last[0]):
            return
        self.seed(seed)
        self.last = (seed, self.look()) if self.look else None


def tells(look: Look, seed: Callable[[int], Any], draw: Callable[[], Any]) -> bool:
    """Do these bytes change with every draw, and with nothing else?"""
    seed(SEED)
    seen = [(look(), look())]
    for _ in range(4):
        draw()
        seen.append((look(), look()))
    return all(one == two for one, two in seen) and len(set(seen)) == len(seen)


@functools.cache
def _of_torch() -> Look | None:
    address = getattr(_cpu, "_cdata", None)
    if address is None:
        return None

    def look() -> bytes:
        return string_at(address, 192)

    return look if tells(look, _cpu.manual_seed, lambda: torch.rand((), generator=_cpu)) else None


def _others() -> list[Seeded]:
    return [_pythons(), _numpys()] if "numpy" in sys.modules else [_pythons()]


@functools.cache
def _pythons() -> Seeded:
    generator = getattr(random, "_inst")  # noqa: B009 (it has no public name)
    return Seeded(random.seed, random.random, lambda: string_at(id(generator) + object.__basicsize__, 24))


@functools.cache
def _numpys() -> Seeded:
    import numpy

    bits = getattr(numpy.random.mtrand._rand, "_bit_generator", None)
    state = bits.ctypes.state_address if bits is not None else 0
    look = (lambda: string_at(state + 624 * 4 - 16, 20)) if state else None
    return Seeded(numpy.random.seed, numpy.random.random_sample, look)
