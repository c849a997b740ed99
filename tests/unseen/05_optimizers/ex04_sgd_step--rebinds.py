"""p = p - lr * p.grad only rebinds the name."""
import torch

def sgd_step_(params, lr):
    todo = [p for p in params if p.grad is not None]
    with torch.no_grad():
        for p in todo:
            p = p - lr * p.grad
