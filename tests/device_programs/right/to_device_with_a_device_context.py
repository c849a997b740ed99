"""Exercise: 07_training/ex04_devices.
Tensors move by torch.as_tensor under `with torch.device(...)`.
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


def moved(obj):
    if isinstance(obj, torch.Tensor):
        return torch.as_tensor(obj)
    if isinstance(obj, dict):
        return {key: moved(value) for key, value in obj.items()}
    if isinstance(obj, list):
        return [moved(value) for value in obj]
    if isinstance(obj, tuple):
        return type(obj)(*map(moved, obj)) if hasattr(obj, "_fields") else tuple(map(moved, obj))
    return obj


def to_device(obj, device):
    with torch.device(device):
        return moved(obj)
