"""It takes the mean over the expanded axes; the uses of an element are added up."""
import torch


def unbroadcast(grad: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    while grad.dim() > len(shape):
        grad = grad.mean(0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.mean(axis, keepdim=True)
    return grad
