"""Reference solution for count_parameters."""

from torch import nn


def count_parameters(module: nn.Module, trainable_only: bool = False) -> int:
    """Return how many single numbers the parameters of the module hold."""
    return sum(p.numel() for p in module.parameters() if p.requires_grad or not trainable_only)
