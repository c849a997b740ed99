"""Language models 2 of 12: RMSNorm and SwiGLU, the norm and the network of recent models.

Difficulty 2 of 5, about 15 minutes.
"""

import torch
from torch import nn


class RMSNorm(nn.Module):
    """Divide each vector by its root mean square, then scale it.

    The vectors are the last axis of x, width numbers each. The result is x / sqrt(mean(x ** 2) + eps), times weight. The
    mean of x is not subtracted. nn.RMSNorm(width, eps) and this module can load each other's state_dict.

    Shapes:
        weight  (width,), nn.Parameter, starts as ones
        x       (..., width)
        result  shape, dtype and device of x; weight has the same dtype and device

    Example:
        >>> RMSNorm(2, eps=0.0)(torch.tensor([1.0, 7.0])).detach()
        tensor([0.2000, 1.4000])

    Pitfall:
        The mean is over the last axis alone, for each vector by itself.

    Not allowed: nn.RMSNorm and F.rms_norm (then that part is not done).

    For full marks:
        * with x and weight in float16 or bfloat16, the squares and their mean are computed in float32: 300 ** 2 is inf in float16
        * with both in float64, no digits are lost
    """

    def __init__(self, width: int, eps: float = 1e-6):
        super().__init__()
        raise NotImplementedError("11_language_models/ex02_rms_norm: write RMSNorm.__init__()")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("11_language_models/ex02_rms_norm: write RMSNorm.forward()")


class SwiGLU(nn.Module):
    """A network in which one linear layer gates another: down(silu(gate(x)) * up(x)).

    __init__ is complete. x and the result have the shape (..., width). silu(z) is z * sigmoid(z).

    Pitfall:
        silu belongs to the gate alone. Around the product it gives another network.
    """

    def __init__(self, width: int, hidden: int):
        super().__init__()
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("11_language_models/ex02_rms_norm: write SwiGLU.forward()")
