"""Modules intro 1: a layer and its parameters.

Difficulty 1 of 5, about 6 minutes.
"""

import torch
from torch import nn


def make_layer(n_in: int, n_out: int) -> nn.Linear:
    """Return a new linear layer, with bias, that maps n_in numbers to n_out numbers.

    Example:
        >>> make_layer(3, 2)(torch.zeros(5, 3)).shape
        torch.Size([5, 2])

    Pitfall:
        The layer takes its sizes as (in, out). Its weight has the shape (out, in).
    """
    raise NotImplementedError("06_modules/intro1_layers: write make_layer()")


def parameter_shapes(module: nn.Module) -> dict[str, tuple[int, ...]]:
    """Return the shape of each parameter of a module, by its name.

    module.named_parameters() gives pairs of a name and a parameter. A torch.Size is a tuple.

    Example:
        >>> shapes = parameter_shapes(nn.Linear(3, 2))
        >>> tuple(shapes["weight"]), tuple(shapes["bias"])
        ((2, 3), (2,))
    """
    raise NotImplementedError("06_modules/intro1_layers: write parameter_shapes()")


def freeze(module: nn.Module) -> None:
    """Make all parameters of a module constants: requires_grad is False for each of them.

    Pitfall:
        module.requires_grad = False sets an attribute that nobody reads. requires_grad belongs to each parameter.
    """
    raise NotImplementedError("06_modules/intro1_layers: write freeze()")
