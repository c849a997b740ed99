"""Training 4 of 10: choose a device and move a batch there, whatever the batch looks like.

Difficulty 3 of 5, about 15 minutes.
"""

from typing import Any

import torch


def pick_device(prefer: str, available: dict[str, int]) -> torch.device:
    """Return the device to train on, out of those that a machine has.

    Arguments:
        prefer     "auto", or the name of a device: a kind such as "cpu", "cuda" or "mps", or a kind with an
                   index such as "cuda:1"
        available  how many devices of each kind the machine has, such as {"cuda": 2, "mps": 0}

    Rules:
        * The processor is always there: there is one "cpu", whether or not `available` lists it.
        * "auto" is the first of "cuda", "mps", "cpu" of which the machine has at least one, without an index.
        * Any other name gives exactly that device: torch.device(prefer), with its index if one was asked for.
        * If the machine does not have it (kind missing, count 0, index too large), or if PyTorch does not
          know such a name ("gpu", "cuda:x", ""): ValueError with `prefer` in its message. Never another
          device instead.
        * Only the two arguments count. Do not ask the real machine: torch.cuda.is_available() and the like
          know nothing of `available`. That is why this function can be tested on a laptop.
        * `available` is not changed. Its kinds need not be "cuda" or "mps": every kind that torch.device()
          knows may be asked for by name.

    Example:
        >>> pick_device("auto", {"cuda": 0, "mps": 1})
        device(type='mps')
        >>> pick_device("cuda:1", {"cuda": 2})
        device(type='cuda', index=1)

    Pitfall:
        Somebody who asks for "cuda" and silently gets "cpu" waits a night before noticing.
    """
    raise NotImplementedError("07_training/ex04_devices: write pick_device()")


def to_device(obj: Any, device: torch.device | str) -> Any:
    """Return the same nested structure with every tensor in it on the device.

    Rules:
        * A tensor becomes tensor.to(device): same values, shape and dtype, still connected to its graph. A
          tensor that is already there is returned as it is, not copied.
        * A dict, a list, a tuple or a named tuple becomes a new container of the same type with its values
          moved, however deep they are nested. Keys and order stay. Empty containers are allowed.
        * Every other object (numbers, strings, None, arrays, models, sets ...) is returned as it is: the very
          same object, not moved and not copied. Only tensors move.
        * Containers that were passed in are not changed.
        * Subclasses of dict and list, and subclasses of tuple other than named tuples, do not occur.

    Example:
        >>> batch = {"x": torch.ones(2), "ids": ["a", "b"]}
        >>> moved = to_device(batch, "meta")
        >>> moved["x"].device, moved["ids"], batch["x"].device
        (device(type='meta'), ['a', 'b'], device(type='cpu'))

    Pitfall:
        A string can be iterated too. And a named tuple is a tuple that wants its values as separate
        arguments.
    """
    raise NotImplementedError("07_training/ex04_devices: write to_device()")
