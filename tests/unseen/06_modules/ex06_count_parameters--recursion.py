"""Recursion over children leaves out shared parameters being counted once, and what sits on the module itself is counted, but a shared layer twice."""
from torch import nn

def count_parameters(module, trainable_only=False):
    total = 0
    for p in module.parameters(recurse=False):
        if p.requires_grad or not trainable_only:
            total += p.numel()
    for child in module.children():
        total += count_parameters(child, trainable_only)
    return total
