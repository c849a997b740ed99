"""Exercise: 07_training/ex04_devices.
torch.as_tensor(t, device=...) copies only where it has to.
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
    match obj:
        case torch.Tensor():
            return torch.as_tensor(obj, device=device)
        case dict():
            return {k: to_device(v, device) for k, v in obj.items()}
        case list():
            return [to_device(v, device) for v in obj]
        case tuple() if hasattr(obj, "_make"):
            return obj._make(to_device(v, device) for v in obj)
        case tuple():
            return tuple(to_device(v, device) for v in obj)
    return obj
