"""The positions are computed in PyTorch's default dtype (an int arange divided by an int) and converted afterwards: a float64 model gets float32 digits, and the default dtype changes the result."""
import torch
from torch import nn


class PositionalMLP(nn.Module):
    """Look at every step of a sequence together with its position.

    Shapes:
        x         (batch, steps, features), floating point
        position  step t of the sequence has the position t / steps: 0, 1/steps, 2/steps, ...
        result    (batch, steps, features), dtype and device of x

    The position comes behind the features of each step as one more feature, so that fc1 sees features + 1
    numbers, the position last. Then fc1, ReLU, fc2.

    x is on the device of the parameters and has their dtype: make the positions there, in that dtype. After
    model.to(...) the next x is somewhere else, and the number of steps may differ from call to call. __init__
    is complete, and forward keeps nothing on the module.

    Example:
        >>> model = PositionalMLP(features=2, hidden=3).double()
        >>> model(torch.zeros(5, 4, 2, dtype=torch.float64)).dtype
        torch.float64

    Pitfall:
        torch.arange(steps) is born on the CPU. On a laptop everything works, on the first GPU it crashes.

    For full marks:
        * A float64 model computes its positions in float64: no digits are lost on the way.
        * A 16-bit model (float16, bfloat16) works too, with at most 256 steps.
        * PyTorch's default dtype has no effect on the result.
        * The layer may be built on another device than the one it runs on, meta included.
    """

    def __init__(self, features: int, hidden: int) -> None:
        super().__init__()
        self.fc1 = nn.Linear(features + 1, hidden)
        self.fc2 = nn.Linear(hidden, features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return what the two layers make of x and its positions."""
        batch, steps, _ = x.shape
        t = torch.arange(steps, device=x.device) / steps
        t = t.to(x.dtype).view(1, steps, 1).expand(batch, steps, 1)
        hidden = torch.relu(self.fc1(torch.cat([x, t], dim=-1)))
        return self.fc2(hidden)
