import torch


def vjp(f, x, v):
    x.requires_grad = True
    y = f(x).sum()
    y.backward()
    return x.grad * v
