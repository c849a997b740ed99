"""(a) Off by one: with 2 devices the indices are 0 and 1, but index 2 is accepted (index > count instead of >=). (b) A named tuple is built from one list, but takes separate arguments: TypeError (or a wrong tuple when it has one field)."""
import copy
from typing import Any

import torch


def pick_device(prefer: str, available: dict[str, int]) -> torch.device:
    """Return the device to train on, out of those that a machine has.

    "auto" is the first of "cuda", "mps" and "cpu" of which the machine has at least one. Any other name gives
    exactly that device. If the machine does not have it: ValueError with the name in its message, never
    another device instead.

    Arguments:
        prefer     "auto", or a kind of device such as "cpu", "cuda" or "mps"
        available  how many devices of each kind the machine has, such as {"cuda": 2, "mps": 0}; it need not
                   list "cpu", which is always there

    Example:
        >>> pick_device("auto", {"cuda": 0, "mps": 1})
        device(type='mps')
        >>> pick_device("cuda", {"cuda": 2, "mps": 1})
        device(type='cuda')

    Pitfall:
        If you ask for "cuda" and silently get "cpu", you may not notice until the next morning. And do not ask
        the real machine (torch.cuda.is_available()): only `available` counts.

    For full marks:
        * The name may have an index, such as "cuda:1": it stays, and ValueError if it is too large.
        * A name that PyTorch does not know ("gpu", "cuda:x", "") is a ValueError with the name in its message.
    """
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
    """Return the same nested structure with every tensor in it on the device.

    A dict, a list or a tuple becomes a new one of the same type with its values moved, however deep they are
    nested; what was passed in stays as it is. Every other object, such as a number, a string, None, an array
    or a model, is returned as it is.

    Example:
        >>> batch = {"x": torch.ones(2), "ids": ["a", "b"]}
        >>> moved = to_device(batch, "meta")
        >>> moved["x"].device, moved["ids"], batch["x"].device
        (device(type='meta'), ['a', 'b'], device(type='cpu'))

    Pitfall:
        A string can be iterated too.

    For full marks:
        * A named tuple becomes a named tuple of the same type. It takes its values as separate arguments.
        * A tensor that is on the device already is returned as it is, not copied.
        * A moved tensor is still connected to its graph. An nn.Parameter is a tensor, too.
    """
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
