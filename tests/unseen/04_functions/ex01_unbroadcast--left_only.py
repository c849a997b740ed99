"""Only the axes on the left are summed, stretched axes of size 1 are not."""
import torch

def unbroadcast(grad, shape):
    extra = grad.dim() - len(shape)
    for _ in range(extra):
        grad = grad.sum(0)
    return grad
