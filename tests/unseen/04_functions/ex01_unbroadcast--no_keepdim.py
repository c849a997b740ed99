"""Axes of size 1 are summed without keepdim, so they disappear and the next axis numbers are off by one."""
import torch


def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(0)
    for i, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(i)
    return grad
