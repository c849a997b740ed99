"""Modules 2 of 7: a network with one hidden layer, as a module of modules.

Difficulty 2 of 5, about 10 minutes. Fast track.
"""

import torch
from torch import nn


class TwoLayerMLP(nn.Module):
    """A linear layer, ReLU, and a second linear layer.

    The two layers are attributes named fc1 and fc2, both nn.Linear with bias. ReLU is between them, and nothing follows fc2.

    Shapes:
        x       (..., n_in)   any number of leading axes; dtype and device of the parameters
        hidden  (..., n_hidden)
        result  (..., n_out)  dtype and device of x

    state_dict has the keys fc1.weight, fc1.bias, fc2.weight, fc2.bias and no other. The result depends on x
    and these weights alone, in training mode and in eval mode.

    Example:
        >>> model = TwoLayerMLP()
        >>> model(torch.zeros(5, 1)).shape
        torch.Size([5, 1])
        >>> sum(p.numel() for p in model.parameters())
        49

    Pitfall:
        Assigning a layer before super().__init__() has run raises an error:
        the module can't register it yet.

    Not allowed: nn.Sequential (then this exercise is not done). Register the layers and write forward yourself.
    """

    def __init__(self, n_in: int = 1, n_hidden: int = 16, n_out: int = 1) -> None:
        """Create the two layers."""
        raise NotImplementedError("06_modules/ex02_two_layer_mlp: write TwoLayerMLP.__init__()")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Predict from x."""
        raise NotImplementedError("06_modules/ex02_two_layer_mlp: write TwoLayerMLP.forward()")
