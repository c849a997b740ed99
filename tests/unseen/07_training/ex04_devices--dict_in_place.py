"""to_device writes the moved tensors into the caller's dict, and gives that dict back."""
import torch


def pick_device(prefer, available):
    counts = {"cpu": 1, **available}
    if prefer == "auto":
        for kind in ("cuda", "mps", "cpu"):
            if counts.get(kind, 0) > 0:
                return torch.device(kind)
    try:
        device = torch.device(prefer)
    except RuntimeError:
        raise ValueError(f"unknown device {prefer!r}")
    if (device.index or 0) >= counts.get(device.type, 0):
        raise ValueError(f"this machine has no {prefer!r}")
    return device


def to_device(obj, device):
    if isinstance(obj, torch.Tensor):
        return obj.to(device)
    if isinstance(obj, dict):
        for key in obj:
            obj[key] = to_device(obj[key], device)
        return obj
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*(to_device(v, device) for v in obj))
    if isinstance(obj, (list, tuple)):
        return type(obj)(to_device(v, device) for v in obj)
    return obj
