"""With set_to_none=False a new tensor of zeros is made instead of filling the old one."""
import torch


def zero_grads(params, *, set_to_none=True):
    for p in params:
        if p.grad is None:
            continue
        p.grad = None if set_to_none else torch.zeros_like(p.grad)
