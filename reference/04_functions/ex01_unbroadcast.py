"""Reference solution for unbroadcast."""

import torch


def unbroadcast(grad: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    """Return grad summed to the given shape, over every axis that broadcasting expanded."""
    added = grad.dim() - len(shape)
    repeated = [added + axis for axis, size in enumerate(shape) if size == 1]
    axes = [*range(added), *repeated]
    return grad.sum(axes).reshape(shape) if axes else grad
