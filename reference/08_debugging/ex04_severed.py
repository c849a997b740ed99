"""Reference solution: tensors all the way, nothing detached."""

import torch
from torch import nn

REPAIRED = True


class TwoStageScorer(nn.Module):
    """Score each sample by a linear head on top of a tanh encoder."""

    def __init__(self, features: int, hidden: int):
        super().__init__()
        self.encoder = nn.Linear(features, hidden)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return one score for each sample."""
        code = torch.tanh(self.encoder(x))
        return self.head(code)


def penalised_loss(model: nn.Module, x: torch.Tensor, y: torch.Tensor, strength: float) -> torch.Tensor:
    """Return the mean squared error plus strength times the sum of all squared parameters."""
    error = (model(x) - y).square().mean()
    penalty = sum(parameter.square().sum() for parameter in model.parameters())
    return error + strength * penalty
