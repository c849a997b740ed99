"""pick_device tests index > count instead of index >= count: "cuda:2" is accepted on a machine with 2 CUDA devices (and "cpu:1" everywhere)."""
import copy
from typing import Any

import torch


def pick_device(prefer: str, available: dict[str, int]) -> torch.device:
    def count(kind):
        n = available.get(kind, 0)
        return max(n, 1) if kind == "cpu" else n

    if prefer == "auto":
        return torch.device(next(kind for kind in ("cuda", "mps", "cpu") if count(kind) > 0))
    try:
        device = torch.device(prefer)
    except RuntimeError as error:
        raise ValueError(f"not a device: {prefer!r}") from error
    n = count(device.type)
    if n == 0:
        raise ValueError(f"this machine has no {prefer!r}")
    if device.index is not None and device.index > n:
        raise ValueError(f"there are only {n} devices, no {prefer!r}")
    return device


def to_device(obj: Any, device: torch.device | str) -> Any:
    if isinstance(obj, torch.Tensor):
        return obj.to(device)
    if isinstance(obj, dict):
        result = copy.copy(obj)
        for key, value in obj.items():
            result[key] = to_device(value, device)
        return result
    if isinstance(obj, (list, tuple)):
        values = [to_device(value, device) for value in obj]
        return type(obj)(*values) if hasattr(obj, "_fields") else type(obj)(values)
    return obj
