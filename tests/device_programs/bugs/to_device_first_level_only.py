"""Exercise: 07_training/ex04_devices.
Tensors in a container inside a container stay behind.
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


def move(value, device):
    return value.to(device) if torch.is_tensor(value) else copy_of(value)


def copy_of(value):
    if isinstance(value, dict):
        return {k: copy_of(v) for k, v in value.items()}
    if isinstance(value, list):
        return [copy_of(v) for v in value]
    if isinstance(value, tuple):
        return type(value)(*map(copy_of, value)) if hasattr(value, "_fields") else tuple(map(copy_of, value))
    return value


def to_device(obj, device):
    if torch.is_tensor(obj):
        return obj.to(device)
    if isinstance(obj, dict):
        return {k: move(v, device) for k, v in obj.items()}
    if isinstance(obj, list):
        return [move(v, device) for v in obj]
    if isinstance(obj, tuple):
        values = [move(v, device) for v in obj]
        return type(obj)(*values) if hasattr(obj, "_fields") else tuple(values)
    return obj
