"""The penalty takes only parameters with more than one axis: biases (and other vectors) don't count."""
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


def penalised_loss(model: nn.Module, x: torch.Tensor, y: torch.Tensor, strength: float) -> torch.Tensor:
    error = (model(x) - y).square().mean()
    weights = [parameter for parameter in model.parameters() if parameter.dim() > 1]
    penalty = sum(weight.square().sum() for weight in weights)
    return error + strength * penalty
