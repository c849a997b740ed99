"""It adds lr times the gradient, so it goes uphill, and it clears the gradients at the end."""
import torch


@torch.no_grad()
def sgd_step_(params, lr):
    for p in params:
        if p.grad is not None:
            p.add_(p.grad, alpha=lr)
            p.grad = None
