"""sum_backward divides by the number of elements, as if the operation were a mean; difference_backward forgets the minus."""
import torch


def square_backward(x, grad):
    return 2 * x * grad


def difference_backward(grad):
    return grad, grad


def sum_backward(x, grad):
    return torch.ones_like(x) * grad / x.numel()
