"""Training 5 of 15: a forward pass that runs wherever its input is.

Difficulty 2 of 5, about 10 minutes.
"""

import torch
from torch import nn


class PositionalMLP(nn.Module):
    """Look at every step of a sequence together with its position.

    Shapes:
        x         (batch, steps, features), floating point
        position  step t of the sequence has the position t / steps: 0, 1/steps, 2/steps, ...
        result    (batch, steps, features), dtype and device of x

    The position comes after the features of each step as one more feature, so that fc1 sees features + 1
    numbers, the position last. fc1 returns `hidden` numbers. Then come ReLU and fc2.

    x is on the device of the parameters and has their dtype: make the positions there, in that dtype. After
    model.to(...) the next x is somewhere else, and the number of steps may differ from call to call. __init__
    is complete, and forward keeps nothing on the module.

    Example:
        >>> model = PositionalMLP(features=2, hidden=3).double()
        >>> model(torch.zeros(5, 4, 2, dtype=torch.float64)).dtype
        torch.float64

    Pitfall:
        torch.arange(steps) makes a CPU tensor. On a laptop everything works; on the first GPU it crashes.

    For full marks:
        * A float64 model computes its positions in float64, so no digits are lost.
        * A 16-bit model (float16, bfloat16) works too, with at most 256 steps.
        * PyTorch's default dtype has no effect on the result.
        * The layer may be built on a different device from the one it runs on, including meta.
    """

    def __init__(self, features: int, hidden: int) -> None:
        super().__init__()
        self.fc1 = nn.Linear(features + 1, hidden)
        self.fc2 = nn.Linear(hidden, features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the output of the two layers for x and its positions."""
        raise NotImplementedError("07_training/ex05_device_free_forward: write PositionalMLP.forward()")
