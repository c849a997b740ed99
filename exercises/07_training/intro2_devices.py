"""Training intro 2: ask PyTorch for a device, and use it.

Difficulty 1 of 5, about 8 minutes.
"""

import torch


def best_device() -> torch.device:
    """Return the device to train on: "cuda" if there is a GPU for it, else "mps" if there is one, else "cpu".

    Ask torch.cuda.is_available() and torch.backends.mps.is_available(). The result is a torch.device without a number,
    such as torch.device("cuda").

    Example:
        >>> best_device().type in ("cuda", "mps", "cpu")
        True

    Pitfall:
        Without its parentheses, torch.cuda.is_available is a function. A function counts as true on every machine.
    """
    raise NotImplementedError("07_training/intro2_devices: write best_device()")


def gpu_names() -> list[str]:
    """Return the names of all CUDA devices, in order; an empty list if there are none.

    torch.cuda.device_count() says how many there are, torch.cuda.get_device_name(n) what number n is called.
    """
    raise NotImplementedError("07_training/intro2_devices: write gpu_names()")


def sum_on(a: torch.Tensor, b: torch.Tensor, device: torch.device | str) -> torch.Tensor:
    """Return a + b, computed on the device.

    Shapes:
        a, b    the same shape and dtype, each on any device
        result  their shape and dtype, on `device`

    Example:
        >>> sum_on(torch.tensor([1.0]), torch.tensor([2.0]), "cpu")
        tensor([3.])

    Pitfall:
        x.to(device) returns a tensor on the device. It does not move x.
    """
    raise NotImplementedError("07_training/intro2_devices: write sum_on()")
