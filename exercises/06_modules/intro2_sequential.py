"""Modules intro 2: layers one after the other.

Difficulty 1 of 5, about 6 minutes.
"""

import torch
from torch import nn


def make_mlp(n_in: int, n_hidden: int, n_out: int) -> nn.Sequential:
    """Return an nn.Sequential of three modules: a linear layer from n_in to n_hidden numbers, nn.ReLU, one from there to n_out.

    Both linear layers have a bias.

    Example:
        >>> [name for name, _ in make_mlp(2, 8, 1).named_parameters()]
        ['0.weight', '0.bias', '2.weight', '2.bias']

    Pitfall:
        nn.ReLU is a class. nn.Sequential takes objects, such as nn.ReLU().
    """
    raise NotImplementedError("06_modules/intro2_sequential: write make_mlp()")


def layer_outputs(model: nn.Sequential, x: torch.Tensor) -> list[torch.Tensor]:
    """Return the result of each module of the model, in order: each gets the result of the previous one.

    A for loop over an nn.Sequential gives its modules. The first one gets x, and the last result is model(x).

    Example:
        >>> model = nn.Sequential(nn.ReLU(), nn.Flatten())
        >>> layer_outputs(model, torch.tensor([[[-1.0, 2.0]]]))
        [tensor([[[0., 2.]]]), tensor([[0., 2.]])]

    Pitfall:
        x itself is not one of the results.
    """
    raise NotImplementedError("06_modules/intro2_sequential: write layer_outputs()")
