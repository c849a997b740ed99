"""Reference solution for best_device, gpu_names and sum_on."""

import torch


def best_device() -> torch.device:
    """Return the device to train on: "cuda" if there is a GPU for it, else "mps" if there is one, else "cpu"."""
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")


def gpu_names() -> list[str]:
    """Return the names of all CUDA devices, in order; an empty list if there are none."""
    return [torch.cuda.get_device_name(n) for n in range(torch.cuda.device_count())]


def sum_on(a: torch.Tensor, b: torch.Tensor, device: torch.device | str) -> torch.Tensor:
    """Return a + b, computed on the device."""
    return a.to(device) + b.to(device)
