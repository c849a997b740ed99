"""A device that the machine does not have silently becomes the CPU."""
import torch


def pick_device(prefer, available):
    if prefer == "auto":
        for kind in ("cuda", "mps", "cpu"):
            if available.get(kind, 0) > 0:
                return torch.device(kind)
        return torch.device("cpu")
    try:
        device = torch.device(prefer)
    except RuntimeError:
        raise ValueError(f"unknown device {prefer!r}") from None
    if available.get(device.type, 0) > (device.index or 0):
        return device
    return torch.device("cpu")


def to_device(obj, device):
    if isinstance(obj, torch.Tensor):
        return obj.to(device)
    if isinstance(obj, dict):
        return {k: to_device(v, device) for k, v in obj.items()}
    if isinstance(obj, (list, tuple)) and not hasattr(obj, "_fields"):
        return type(obj)(to_device(v, device) for v in obj)
    if hasattr(obj, "_fields"):
        return type(obj)(*(to_device(v, device) for v in obj))
    return obj
