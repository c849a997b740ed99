"""Counts module by module: a parameter that two different modules share (tied weights) is counted twice. module.parameters() yields it once."""
from torch import nn


def count_parameters(module: nn.Module, trainable_only: bool = False) -> int:
    total = 0
    for layer in module.modules():
        own = layer.parameters(recurse=False)
        total += sum(w.numel() for w in own if w.requires_grad or not trainable_only)
    return total
