"""Random numbers on the simulated device: as on a GPU, the same seed gives other numbers there than on the CPU.

Its generators are CPU generators with another seed inside. One of them serves all that names none; torch.manual_seed seeds it.
"""

from __future__ import annotations

import functools
import threading
from typing import Any

import torch

_OTHER = 0x5EED_0FF_71E_C0DE  # what a seed is mixed with, so that device and CPU draw differently
_swapping = threading.Lock()
_originals: set[int] = set()  # addresses of the generators that were made for the device
names = {"sim"}  # what torch.Generator's argument may be called for it


def address_of(generator: Any) -> int:
    """The address of a generator's C++ object, the same for every Python wrapper of it."""
    return int(generator._cdata)


def made_for_device(generator: Any) -> bool:
    return address_of(generator) in _originals


class _AnyGenerator(type(torch._C.Generator)):  # type: ignore[misc]
    """isinstance(x, torch.Generator) stays true of generators made before install()."""

    def __instancecheck__(cls, x: Any) -> bool:
        return isinstance(x, torch._C.Generator)


class Generator(torch._C.Generator, metaclass=_AnyGenerator):
    """torch.Generator that also takes device='sim': a CPU generator that reports sim:0."""

    reported: torch.device | None

    def __new__(cls, device: Any = "cpu") -> Any:
        device = torch.device(device)
        ours = device.type in names
        made: Any = super().__new__(cls, device="cpu" if ours else device)  # type: ignore[call-arg]
        made.reported = torch.device(device.type, 0) if ours else None
        if ours:
            _originals.add(address_of(made))  # kernels meet another Python wrapper of it: known by address
            made.manual_seed(torch.default_generator.initial_seed())
        return made

    def __del__(self, originals: set[int] = _originals) -> None:  # bound here: modules are gone when the process ends
        originals.discard(int(self._cdata))  # type: ignore[attr-defined]

    @property
    def device(self) -> torch.device:  # type: ignore[override]
        return self.reported or super().device

    def manual_seed(self, seed: int) -> Any:
        return super().manual_seed(seed ^ _OTHER if self.reported else seed)

    def initial_seed(self) -> int:
        return super().initial_seed() ^ (_OTHER if self.reported else 0)

    def seed(self) -> int:
        return super().seed() ^ (_OTHER if self.reported else 0)


@functools.cache
def default_generator() -> Any:
    """The device's own, for all that names no generator."""
    return Generator("sim")


def seed_all(seed: int) -> None:
    """What torch.manual_seed calls for the device."""
    default_generator().manual_seed(seed)


class Borrowed:
    """Within it, PyTorch's default generator draws for the device. For operations that take no generator."""

    def __enter__(self) -> None:
        _swapping.acquire()
        self._swap()

    def __exit__(self, *_: object) -> None:
        self._swap()
        _swapping.release()

    def _swap(self) -> None:
        cpu, own = torch.default_generator, default_generator()
        state = cpu.get_state()
        cpu.set_state(own.get_state())
        own.set_state(state)
