"""difference_backward gives grad to both a and b: the minus sign of b is missing."""
import torch


def square_backward(x, grad):
    return 2 * x * grad


def difference_backward(grad):
    return grad, grad


def sum_backward(x, grad):
    return torch.ones_like(x) * grad
