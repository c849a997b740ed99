"""`if p.grad` asks for the truth of a tensor: it raises for several elements and skips a gradient of 0."""
import torch


def sgd_step_(params, lr):
    with torch.no_grad():
        for p in params:
            if p.grad:
                p -= lr * p.grad
