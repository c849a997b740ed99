"""Choose a device and move nested batches."""

from typing import Any

import torch


def pick_device(prefer: str, available: dict[str, int]) -> torch.device:
    """Return the device to train on, out of those that a machine has."""
    counts = {**available, "cpu": 1}
    if prefer == "auto":
        prefer = next(kind for kind in ("cuda", "mps", "cpu") if counts.get(kind, 0) > 0)
    try:
        device = torch.device(prefer)
    except RuntimeError:
        raise ValueError(f"PyTorch knows no device {prefer!r}") from None
    if (device.index or 0) >= counts.get(device.type, 0):
        raise ValueError(f"this machine has no device {prefer!r}, only {counts}")
    return device


def to_device(obj: Any, device: torch.device | str) -> Any:
    """Return the nested structure obj with every tensor in it on the device."""
    if isinstance(obj, torch.Tensor):
        return obj.to(device)
    if isinstance(obj, dict):
        return {key: to_device(value, device) for key, value in obj.items()}
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*(to_device(value, device) for value in obj))
    if isinstance(obj, (list, tuple)):
        return type(obj)(to_device(value, device) for value in obj)
    return obj
