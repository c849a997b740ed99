"""Reference solution for unbroadcast."""

import torch


def unbroadcast(grad: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    """Return grad summed to the given shape, over every axis that broadcasting stretched."""
    added = grad.dim() - len(shape)
    if added < 0 or any(want not in (1, have) for want, have in zip(shape, grad.shape[added:], strict=True)):
        raise ValueError(f"shape {tuple(shape)} does not broadcast to {tuple(grad.shape)}")
    repeated = [added + axis for axis, size in enumerate(shape) if size == 1]
    axes = [*range(added), *repeated]
    return grad.sum(axes).reshape(shape) if axes else grad
