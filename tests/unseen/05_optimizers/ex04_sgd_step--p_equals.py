"""p = p - lr * p.grad gives a new tensor and leaves the parameter where it was."""
import torch


def sgd_step_(params, lr):
    params = list(params)
    with torch.no_grad():
        for i, p in enumerate(params):
            if p.grad is None:
                continue
            params[i] = p - lr * p.grad
