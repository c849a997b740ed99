"""Training 4 of 15: choose a device and move a batch there, whatever the batch looks like.

Difficulty 2 of 5, about 15 minutes.
"""

from typing import Any

import torch


def pick_device(prefer: str, available: dict[str, int]) -> torch.device:
    """Return the device to train on, out of those that a machine has.

    "auto" is the first of "cuda", "mps" and "cpu" of which the machine has at least one. Any other name gives
    exactly that device. If the machine does not have it, raise a ValueError with the name in its message;
    never return another device instead.

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
        * The name may have an index, such as "cuda:1": it is kept. An index that is too large raises a ValueError.
        * A name that PyTorch does not know ("gpu", "cuda:x", "") raises a ValueError with the name in its message.
    """
    raise NotImplementedError("07_training/ex04_devices: write pick_device()")


def to_device(obj: Any, device: torch.device | str) -> Any:
    """Return the nested structure obj with every tensor in it on the device.

    A dict, a list or a tuple becomes a new one of the same type with its values moved, however deep they are
    nested; obj itself stays as it is. Every other object, such as a number, a string, None, an array
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
        * A tensor that is already on the device is returned as it is, not copied.
        * A moved tensor is still connected to its graph. An nn.Parameter is a tensor, too.
    """
    raise NotImplementedError("07_training/ex04_devices: write to_device()")
