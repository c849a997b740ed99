import torch


def unbroadcast(grad, shape):
    while len(grad.shape) > len(shape):
        grad = grad.sum(0)
    for i in range(len(shape)):
        if shape[i] == 1:
            grad = grad.sum(i)
    return grad
