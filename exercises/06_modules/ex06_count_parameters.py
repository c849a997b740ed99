"""Modules 6 of 7: how many numbers does a model learn?

Difficulty 2 of 5, about 6 minutes.
"""

from torch import nn


def count_parameters(module: nn.Module, trainable_only: bool = False) -> int:
    """Return how many single numbers the parameters of the module hold.

    Edge cases:
        Parameters of children, and of their children, count.
        Parameters that sit directly on the module count too.
        A parameter that is used in several places is counted once.
        Frozen parameters (requires_grad is False) count, unless trainable_only is True.
        Buffers never count.
        A module without parameters has 0. A parameter with a size of 0 adds 0, a 0-dim parameter adds 1.
        It also works when the parameters are on the meta device, where tensors have shapes but no numbers.
        The result is a Python int. The module is not changed.

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
