"""An axis of size 1 is summed only if grad's size there is greater than 1. An axis that was expanded from 1 to 0 stays with size 0, so the result has the wrong shape instead of a 0."""
import torch


def unbroadcast(grad: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    extra = grad.dim() - len(shape)
    for _ in range(extra):
        grad = grad.sum(dim=0)
    for axis, size in enumerate(shape):
        if size == 1 and grad.shape[axis] > 1:
            grad = grad.sum(dim=axis, keepdim=True)
    return grad
