"""What torch.accelerator reports about this machine.

PyTorch would report the simulated device from the moment it is registered. Here it is visible only inside `shown()`, where
a check runs on it; everywhere else torch.accelerator reports the same as on this machine without it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch

NO_MEMORY_COUNTS: dict[str, int] = {"allocated_bytes.all.current": 0, "reserved_bytes.all.current": 0}
_shown: list[torch.device] = []  # the device that torch.accelerator names now, the last one; empty: the machine's own
_machine: list[torch.device | None] = []  # what this PyTorch was built for: known before our device is registered


@contextlib.contextmanager
def shown(name: str = "sim") -> Iterator[torch.device]:
    """Within it, torch.accelerator knows the simulated device (by this name), as it would know a GPU."""
    device = torch.device(name)
    _shown.append(device)
    try:
        yield device
    finally:
        _shown.remove(device)


def remember_machine() -> None:
    """To be called before the device is registered."""
    _machine.append(torch.accelerator.current_accelerator())


def register() -> None:
    """Put our answers in front of PyTorch's."""
    for name, (ours, theirs) in _ANSWERS.items():
        if hasattr(torch.accelerator, name):
            setattr(torch.accelerator, name, _answering(ours, theirs))


def _answering(ours: Callable[..., Any], theirs: str | Callable[..., Any]) -> Callable[..., Any]:
    def answer(*args: Any, **kwargs: Any) -> Any:
        if _shown:
            return ours(*args, **kwargs)
        if callable(theirs):
            return theirs(*args, **kwargs)
        if _machine[0] is None:
            raise RuntimeError("Cannot access accelerator device when none is available.")
        return getattr(torch.get_device_module(_machine[0]), theirs)(*args, **kwargs)

    return answer


def first_only(device: Any = None) -> None:
    """Raises RuntimeError for a device, named in any way, that is not the one that exists."""
    index = device if isinstance(device, int) or device is None else torch.device(device).index
    if index not in (None, 0, -1):
        raise RuntimeError("sim error: invalid device ordinal")


def _zero(device: Any = None) -> int:
    return 0


def _machine_has_one() -> bool:
    return bool(_machine[0] is not None and torch.get_device_module(_machine[0]).is_available())


def _machine_accelerator(check_available: bool = False) -> torch.device | None:
    return _machine[0] if not check_available or _machine_has_one() else None


# What torch.accelerator offers: our answer, and the machine's (a name in its device module, torch.cuda for instance).
_ANSWERS: dict[str, tuple[Callable[..., Any], str | Callable[..., Any]]] = {
    "is_available": (lambda: True, _machine_has_one),
    "current_accelerator": (lambda check_available=False: _shown[-1], _machine_accelerator),
    "device_count": (lambda: 1, lambda: torch.get_device_module(_machine[0]).device_count() if _machine_has_one() else 0),
    "current_device_index": (lambda: 0, "current_device"),
    "current_device_idx": (lambda: 0, "current_device"),
    "set_device_index": (first_only, "set_device"),
    "set_device_idx": (first_only, "set_device"),
    "synchronize": (first_only, "synchronize"),
    "empty_cache": (lambda: None, "empty_cache"),
    "empty_host_cache": (lambda: None, lambda: None),
    "memory_stats": (lambda device=None: dict(NO_MEMORY_COUNTS), "memory_stats"),
    "memory_allocated": (_zero, "memory_allocated"),
    "max_memory_allocated": (_zero, "max_memory_allocated"),
    "memory_reserved": (_zero, "memory_reserved"),
    "max_memory_reserved": (_zero, "max_memory_reserved"),
    "reset_peak_memory_stats": (lambda device=None: None, "reset_peak_memory_stats"),
    "reset_accumulated_memory_stats": (lambda device=None: None, "reset_accumulated_memory_stats"),
}
