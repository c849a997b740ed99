"""Reference solution for differences and largest_error."""

import torch


def differences(a: torch.Tensor, b: torch.Tensor) -> list[str]:
    """Return how a and b differ: a list of the words "shape", "dtype" and "device", in this order."""
    return [word for word in ("shape", "dtype", "device") if getattr(a, word) != getattr(b, word)]


def largest_error(a: torch.Tensor, b: torch.Tensor) -> float:
    """Return the largest absolute difference between two tensors of the same shape."""
    return (a - b).abs().max().item()
