import torch


def unbroadcast(grad: torch.Tensor, shape) -> torch.Tensor:
    while grad.dim() > len(shape):
        grad = grad.sum(dim=0)
    for i, size in enumerate(shape):
        if size == 1 and grad.shape[i] != 1:
            grad = grad.sum(dim=i, keepdim=True)
    return grad
