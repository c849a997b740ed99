import torch


@torch.no_grad()
def sgd_step_(params, lr):
    for p in params:
        if p.grad is not None:
            p -= lr * p.grad
