"""(a) Off by one in the index check: with two GPUs "cuda:2" is accepted, although the indices are 0 and 1. (b) Each dict becomes a plain dict: an OrderedDict (or another subclass of dict) comes back as dict."""
from typing import Any

import torch


def _count(kind: str, available: dict[str, int]) -> int:
    n = available.get(kind, 0)
    return max(n, 1) if kind == "cpu" else n


def pick_device(prefer: str, available: dict[str, int]) -> torch.device:
    if prefer == "auto":
        for kind in ("cuda", "mps"):
            if available.get(kind, 0) > 0:
                return torch.device(kind)
        return torch.device("cpu")
    try:
        device = torch.device(prefer)
    except RuntimeError as error:
        raise ValueError(f"unknown device {prefer!r}") from error
    count = _count(device.type, available)
    if count == 0 or (device.index is not None and device.index > count):
        raise ValueError(f"this machine has no device {prefer!r}")
    return device


def to_device(obj: Any, device: torch.device | str) -> Any:
    if isinstance(obj, torch.Tensor):
        return obj.to(device)
    if isinstance(obj, dict):
        return {key: to_device(value, device) for key, value in obj.items()}
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*(to_device(value, device) for value in obj))
    if isinstance(obj, (list, tuple)):
        return type(obj)([to_device(value, device) for value in obj])
    return obj
