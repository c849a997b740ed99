"""(1) The penalty leaves frozen parameters out, because they can't learn anyway, but they have to count in the value. (2) The penalty starts as torch.zeros(()), a float32 tensor, so the loss of a bfloat16 model becomes float32. The learner wanted a tensor to start from, for models without parameters, and gave it the device of the error but not its dtype."""

import torch
from torch import nn

REPAIRED = True  # set to True when you have repaired the code below


class TwoStageScorer(nn.Module):
    def __init__(self, features: int, hidden: int):
        super().__init__()
        self.encoder = nn.Linear(features, hidden)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return one score for each sample."""
        code = torch.tanh(self.encoder(x))
        return self.head(code)


def penalised_loss(model: nn.Module, x: torch.Tensor, y: torch.Tensor, strength: float) -> torch.Tensor:
    error = (model(x) - y).square().mean()
    penalty = torch.zeros((), device=error.device)
    for parameter in model.parameters():
        if parameter.requires_grad:
            penalty = penalty + parameter.square().sum()
    return error + strength * penalty
