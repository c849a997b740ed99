"""Language models 3 of 12: LoRA, a small trained change of a frozen linear layer.

Difficulty 3 of 5, about 25 minutes.
"""

import torch
from torch import nn


class LoRALinear(nn.Module):
    """A frozen linear layer with a trained change of low rank.

    Arguments:
        base   an nn.Linear, kept as self.base; its parameters are frozen
        rank   the rank of the change
        alpha  the change is scaled by alpha / rank

    Two parameters are trained. `a`, of shape (rank, base.in_features), starts with random numbers of any scale; `b`, of shape
    (base.out_features, rank), with zeros. So the module starts as its base.

    Pitfall:
        With zeros in both a and b no gradient reaches either, and nothing is ever learned.

    For full marks:
        * a and b have the dtype and the device of base.weight
        * base may have no bias
    """

    def __init__(self, base: nn.Linear, rank: int, alpha: float):
        super().__init__()
        raise NotImplementedError("11_language_models/ex03_lora: write LoRALinear.__init__()")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return base(x) + alpha / rank * (x a^T) b^T."""
        raise NotImplementedError("11_language_models/ex03_lora: write LoRALinear.forward()")

    def merged(self) -> nn.Linear:
        """Return a new nn.Linear that computes the same; the base is unchanged and shares no memory with it."""
        raise NotImplementedError("11_language_models/ex03_lora: write LoRALinear.merged()")


def adapter_state(model: nn.Module) -> dict[str, torch.Tensor]:
    """Return the entries of model.state_dict() that are the a and b of a LoRALinear, under the same names.

    Example:
        >>> list(adapter_state(nn.Sequential(nn.Linear(2, 2), LoRALinear(nn.Linear(2, 2), rank=1, alpha=1.0))))
        ['1.a', '1.b']

    For full marks:
        * the model itself may be a LoRALinear; the names are then a and b
    """
    raise NotImplementedError("11_language_models/ex03_lora: write adapter_state()")
