"""Sums parameters(recurse=False) over modules(): shared modules count once, but one Parameter that two different modules hold (tied weights) counts twice."""
from torch import nn


def count_parameters(module: nn.Module, trainable_only: bool = False) -> int:
    total = 0
    for part in module.modules():
        for parameter in part.parameters(recurse=False):
            if parameter.requires_grad or not trainable_only:
                total += parameter.numel()
    return total
