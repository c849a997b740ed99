"""An axis of size 1 that was expanded to 0 is not summed (the test is have > 1), so the result has size 0 there instead of 1 with gradient 0."""
import torch


def unbroadcast(grad: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    while grad.dim() > len(shape):
        grad = grad.sum(0)
    for axis, (have, want) in enumerate(zip(grad.shape, shape)):
        if want == 1 and have > 1:
            grad = grad.sum(axis, keepdim=True)
    return grad
