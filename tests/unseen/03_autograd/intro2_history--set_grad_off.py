"""Grad mode is switched off and switched on again, even when the caller had it off."""
import torch


def kind_of(t):
    if not t.requires_grad:
        return "constant"
    return "leaf" if t.grad_fn is None else "result"


def without_history(t):
    return t.data


def doubled_without_graph(x):
    torch.set_grad_enabled(False)
    y = x * 2
    torch.set_grad_enabled(True)
    return y
