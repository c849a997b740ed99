"""Afterwards grad mode is always turned on, even if the caller had turned it off."""
import torch


def sgd_step_(params, lr):
    torch.set_grad_enabled(False)
    for p in params:
        if p.grad is None:
            continue
        p -= lr * p.grad
    torch.set_grad_enabled(True)
