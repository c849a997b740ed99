"""Training 5 of 10: a forward pass that runs wherever its input is.

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

    What forward does:
        The position is put behind the features of each step as one more feature, so that fc1 sees features +
        1 numbers, the position last. Then fc1, ReLU, fc2.

    Edge cases:
        * x is always on the device of the parameters and has their dtype (float32, float64, float16 or
          bfloat16): the positions must be made there and in that dtype. Nobody knows when the layer is built
          where it will run; after model.to(...) the next x lies somewhere else, on a device of any name.
          PyTorch's default dtype says nothing about x.
        * The number of steps may differ from call to call, at most 256 for the 16-bit dtypes. batch and steps
          may be 1 or 0.
        * x may be non-contiguous or expanded. It is not changed. Gradients reach x and the parameters.
        * The state_dict has four entries, those of fc1 and fc2, before and after forward: __init__ is
          complete, and forward leaves nothing behind on the module.

    Example:
        >>> model = PositionalMLP(features=2, hidden=3).double()
        >>> model(torch.zeros(5, 4, 2, dtype=torch.float64)).dtype
        torch.float64

    Pitfall:
        torch.arange(steps) is born on the CPU. On a laptop everything works, on the first GPU it crashes.
    """

    def __init__(self, features: int, hidden: int) -> None:
        super().__init__()
        self.fc1 = nn.Linear(features + 1, hidden)
        self.fc2 = nn.Linear(hidden, features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return what the two layers make of x and its positions."""
        raise NotImplementedError("07_training/ex05_device_free_forward: write PositionalMLP.forward()")
