"""Exercise: 07_training/ex04_devices.
Whether there is CUDA is asked of the real machine, once, at import.
"""

import torch

HAS_CUDA = torch.cuda.is_available()


def pick_device(prefer, available):
    counts = {**available, "cpu": 1}
    if prefer == "auto":
        if HAS_CUDA:
            return torch.device("cuda")
        return torch.device("mps" if counts.get("mps", 0) > 0 else "cpu")
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
    if isinstance(obj, tuple):
        values = [to_device(value, device) for value in obj]
        return type(obj)(*values) if hasattr(obj, "_fields") else tuple(values)
    return obj
