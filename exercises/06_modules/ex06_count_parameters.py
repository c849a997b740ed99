"""Modules 6 of 7: how many numbers does a model learn?

Difficulty 2 of 5, about 6 minutes.
"""

from torch import nn


def count_parameters(module: nn.Module, trainable_only: bool = False) -> int:
    """Return how many single numbers the parameters of the module hold.

    Parameters of the module itself, of its children, and of their children all count. A
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
    raise NotImplementedError("06_modules/ex06_count_parameters: write count_parameters()")
