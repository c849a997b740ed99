import torch


def two_heads(trunk, head_a, head_b, w):
    w.requires_grad_()
    h = trunk(w)
    a = head_a(h)
    b = head_b(h)
    a.backward()
    grad_a = w.grad
    b.backward()
    grad_b = w.grad
    return grad_a, grad_b
