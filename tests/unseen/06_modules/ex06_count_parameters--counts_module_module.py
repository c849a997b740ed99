"""Counts module by module: a parameter that two different modules share (tied weights) is counted twice. module.parameters() yields it once."""
from torch import nn


def count_parameters(module: nn.Module, trainable_only: bool = False) -> int:
    """Return how many single numbers the parameters of the module hold.

    Parameters of children count, and of their children, and those that sit directly on the module. A
    parameter that is used in several places is counted once. Frozen parameters (requires_grad is False)
    count, unless trainable_only is True. Buffers never count. The result is an int, and the module is not
    changed. Shapes are enough: it works on the meta device, where tensors have no numbers.

    Example:
        >>> count_parameters(nn.Linear(3, 2))
        8
        >>> count_parameters(nn.Sequential(nn.Linear(3, 2), nn.ReLU(), nn.BatchNorm1d(2)))
        12

    Pitfall:
        state_dict also holds buffers, such as the running mean of batch norm,
        and lists a shared parameter twice.
    """
    total = 0
    for layer in module.modules():
        own = layer.parameters(recurse=False)
        total += sum(w.numel() for w in own if w.requires_grad or not trainable_only)
    return total
