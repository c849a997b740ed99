import torch


def pick_device(prefer, available):
    if prefer == "auto":
        for kind in ("cuda", "mps"):
            if available.get(kind, 0) > 0:
                return torch.device(kind)
        return torch.device("cpu")
    if prefer != "cpu" and available.get(prefer, 0) == 0:
        raise ValueError(f"device {prefer!r} is not available")
    return torch.device(prefer)


def to_device(obj, device):
    if isinstance(obj, torch.Tensor):
        return obj.to(device)
    if isinstance(obj, dict):
        return {k: to_device(v, device) for k, v in obj.items()}
    if isinstance(obj, list):
        return [to_device(v, device) for v in obj]
    if isinstance(obj, tuple):
        return tuple(to_device(v, device) for v in obj)
    return obj
