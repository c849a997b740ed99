"""Exercise: 07_training/ex04_devices.
A tensor that has to move is rebuilt as float32 if it holds floats: float64 and float16 do not survive.
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


def move(t, device):
    device = torch.device(device)
    if t.device.type == device.type and device.index in (None, t.device.index):
        return t
    if t.is_floating_point():
        return t.to(device, torch.float32)
    return t.to(device)


def to_device(obj, device):
    if isinstance(obj, torch.Tensor):
        return move(obj, device)
    if isinstance(obj, dict):
        return {key: to_device(value, device) for key, value in obj.items()}
    if isinstance(obj, list):
        return [to_device(value, device) for value in obj]
    if isinstance(obj, tuple):
        values = [to_device(value, device) for value in obj]
        return type(obj)(*values) if hasattr(obj, "_fields") else tuple(values)
    return obj
