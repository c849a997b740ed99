"""An axis of size 1 is summed only where grad has more than 1 there. If the axis was expanded to size 0, nothing is summed and the reshape at the end raises, instead of a gradient of 0."""
import torch


def unbroadcast(grad: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    extra = grad.dim() - len(shape)
    axes = list(range(extra))
    for i, size in enumerate(shape):
        if size == 1 and grad.shape[extra + i] > 1:
            axes.append(extra + i)
    if axes:
        grad = grad.sum(dim=axes, keepdim=True)
    return grad.reshape(shape)
