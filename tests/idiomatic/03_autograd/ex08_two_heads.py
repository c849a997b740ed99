import torch


def two_heads(trunk, head_a, head_b, w):
    w = w.detach().clone().requires_grad_()
    h = trunk(w)
    (grad_a,) = torch.autograd.grad(head_a(h), w, retain_graph=True)
    (grad_b,) = torch.autograd.grad(head_b(h), w)
    return grad_a, grad_b
