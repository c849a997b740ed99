"""Parameters with requires_grad False are skipped, although they may hold an old gradient."""
import torch


def zero_grads(params, *, set_to_none=True):
    trainable = filter(lambda p: p.requires_grad, params)
    for p in trainable:
        if set_to_none:
            p.grad = None
        elif p.grad is not None:
            p.grad.detach_().zero_()
