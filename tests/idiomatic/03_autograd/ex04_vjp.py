import torch


def vjp(f, x, v):
    x = x.detach().clone().requires_grad_()
    f(x).backward(v)
    return x.grad
