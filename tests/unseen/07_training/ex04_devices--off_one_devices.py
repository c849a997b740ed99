"""(a) Off by one: with 2 devices the indices are 0 and 1, but index 2 is accepted (index > count instead of >=). (b) A named tuple is built from one list, but takes separate arguments: TypeError (or a wrong tuple when it has one field)."""
import copy
from typing import Any

import torch


def pick_device(prefer: str, available: dict[str, int]) -> torch.device:
    counts = {**available, "cpu": max(1, available.get("cpu", 1))}
    if prefer == "auto":
        return torch.device(next(kind for kind in ("cuda", "mps", "cpu") if counts.get(kind, 0) > 0))
    try:
        wanted = torch.device(prefer)
    except RuntimeError as error:
        raise ValueError(f"unknown device {prefer!r}") from error
    have = counts.get(wanted.type, 0)
    if have == 0 or (wanted.index is not None and wanted.index > have):
        raise ValueError(f"this machine has no {prefer!r}")
    return wanted


def to_device(obj: Any, device: torch.device | str) -> Any:
    if isinstance(obj, torch.Tensor):
        return obj.to(device)
    if isinstance(obj, dict):
        moved = copy.copy(obj)
        for key, value in obj.items():
            moved[key] = to_device(value, device)
        return moved
    if isinstance(obj, (list, tuple)):
        return type(obj)([to_device(value, device) for value in obj])
    return obj
