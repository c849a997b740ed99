"""Exercise: 07_training/ex04_devices.
Tuples are rebuilt, but the tensors in them are not moved.
"""

import torch


def pick_device(prefer, available):
    counts = {**available, "cpu": 1}
    if prefer == "auto":
        return torch.device(next(kind for kind in ("cuda", "mps", "cpu") if counts.get(kind, 0) > 0))
    try:
        device = torch.device(prefer)
    except RuntimeError:
        raise ValueError(f"no such device: {prefer!r}") from None
    if (device.index or 0) >= counts.get(device.type, 0):
        raise ValueError(f"this machine has no {prefer!r}")
    return device


def to_device(obj, device):
    if isinstance(obj, torch.Tensor):
        return obj.to(device)
    if isinstance(obj, dict):
        return {key: to_device(value, device) for key, value in obj.items()}
    if isinstance(obj, list):
        return [to_device(value, device) for value in obj]
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*obj)
    if isinstance(obj, tuple):
        return tuple(obj)
    return obj
