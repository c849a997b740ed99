"""Random numbers on the simulated device: as on a GPU, the same seed gives other numbers there than on the CPU.

A generator for the device is a CPU generator that bears the device's label, so that PyTorch's own kernels for the CPU refuse
it, and a twin behind it, with another seed inside, which the device's operations draw from. One of them serves all that name
none; torch.manual_seed seeds it.
"""

from __future__ import annotations

import ctypes
import functools
import sys
import threading
from typing import Any

import torch

from torchdojo.sim.accelerator import first_only

_OTHER = 0x5EED_0FF_71E_C0DE  # what a seed is mixed with, so that device and CPU draw differently
_PRIVATE_USE = 20  # c10::DeviceType::PrivateUse1
_swapping = threading.Lock()
_twins: dict[int, torch._C.Generator] = {}  # key: the address of a generator that was made for the device
names = {"sim"}  # what torch.Generator's argument may be called for it


def address_of(generator: Any) -> int:
    """The address of a generator's C++ object, the same for every Python wrapper of it."""
    return int(generator._cdata)


def made_for_device(generator: Any) -> bool:
    return address_of(generator) in _twins


def drawn_from(generator: Any) -> Any:
    """The CPU generator behind one of the device's; any other is itself."""
    return _twins.get(address_of(generator), generator)


def _label(generator: Any) -> None:
    """Write the device's label over the CPU's, in the generator's own memory."""
    place = _place_of_label()
    if place is not None:
        (ctypes.c_int8 * 2).from_address(address_of(generator) + place)[:] = [_PRIVATE_USE, 0]


@functools.cache
def _place_of_label() -> int | None:
    """Where the C++ object keeps its device: type and index, before the set of its dispatch keys. None: not found."""
    some = torch._C.Generator(device="cpu")
    memory = ctypes.string_at(address_of(some), 256)  # the object has 5 kB: all of these bytes belong to it
    keys = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU).raw_repr().to_bytes(8, sys.byteorder)
    offsets = [i for i in range(0, 240, 8) if memory[i : i + 2] == b"\0\xff" and memory[i + 8 : i + 16] == keys]
    return offsets[0] if len(offsets) == 1 else None


class _AnyGenerator(type(torch._C.Generator)):  # type: ignore[misc]
    """isinstance(x, torch.Generator) stays true of generators made before install()."""

    def __instancecheck__(cls, x: Any) -> bool:
        return isinstance(x, torch._C.Generator)


class Generator(torch._C.Generator, metaclass=_AnyGenerator):
    """torch.Generator that also takes device='sim'."""

    reported: torch.device | None

    def __new__(cls, device: Any = "cpu") -> Any:
        device = torch.device(device)
        ours = device.type in names
        made: Any = super().__new__(cls, device="cpu" if ours else device)  # type: ignore[call-arg]
        made.reported = torch.device(device.type, 0) if ours else None
        if ours:
            first_only(device)
            _twins[address_of(made)] = torch._C.Generator(device="cpu")  # kernels meet another wrapper: known by address
            _label(made)
            made.manual_seed(torch.default_generator.initial_seed())
        return made

    def __del__(self, twins: dict[int, Any] = _twins) -> None:  # bound here: modules are gone when the process ends
        twins.pop(int(self._cdata), None)  # type: ignore[attr-defined]

    @property
    def device(self) -> torch.device:  # type: ignore[override]
        return self.reported or super().device

    def manual_seed(self, seed: int) -> Any:
        if not self.reported:
            return super().manual_seed(seed)
        drawn_from(self).manual_seed(seed ^ _OTHER)
        return self

    def initial_seed(self) -> int:
        return drawn_from(self).initial_seed() ^ _OTHER if self.reported else super().initial_seed()

    def seed(self) -> int:
        return drawn_from(self).seed() ^ _OTHER if self.reported else super().seed()

    def get_state(self) -> torch.Tensor:
        return drawn_from(self).get_state() if self.reported else super().get_state()

    def set_state(self, state: torch.Tensor) -> Any:
        if not self.reported:
            return super().set_state(state)
        drawn_from(self).set_state(state)
        return self

    def clone_state(self) -> Any:
        return Generator("sim").set_state(self.get_state()) if self.reported else super().clone_state()

    def __reduce__(self) -> Any:
        return (Generator, ("sim",), self.get_state()) if self.reported else super().__reduce__()

    def __setstate__(self, state: Any) -> None:
        if self.reported:
            self.set_state(state)
        else:
            super().__setstate__(state)


@functools.cache
def default_generator() -> Any:
    """The device's default generator."""
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
