"""pick_device refuses an index only if it is greater than the number of devices: "cuda:2" of two GPUs and "cpu:1" are accepted."""
import copy
from typing import Any

import torch


def pick_device(prefer: str, available: dict[str, int]) -> torch.device:
    counts = dict(available)
    counts["cpu"] = max(1, counts.get("cpu", 1))
    if prefer == "auto":
        for kind in ("cuda", "mps", "cpu"):
            if counts.get(kind, 0) > 0:
                return torch.device(kind)
    try:
        device = torch.device(prefer)
    except RuntimeError as error:
        raise ValueError(f"PyTorch does not know the device {prefer!r}") from error
    count = counts.get(device.type, 0)
    if count < 1 or (device.index is not None and device.index > count):
        raise ValueError(f"this machine does not have the device {prefer!r}")
    return device


def to_device(obj: Any, device: torch.device | str) -> Any:
    if isinstance(obj, torch.Tensor):
        return obj.to(device)
    if isinstance(obj, dict):
        moved = copy.copy(obj)
        for key, value in obj.items():
            moved[key] = to_device(value, device)
        return moved
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*(to_device(value, device) for value in obj))
    if isinstance(obj, (list, tuple)):
        return type(obj)([to_device(value, device) for value in obj])
    return obj
