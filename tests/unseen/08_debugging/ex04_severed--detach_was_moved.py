"""(a) The detach was moved from the code to the input: self.encoder(x.detach()), so an x that requires grad gets no gradient. (b) Frozen parameters are left out of the penalty, so the value is too small."""
import torch
from torch import nn

REPAIRED = True


class TwoStageScorer(nn.Module):
    def __init__(self, features: int, hidden: int):
        super().__init__()
        self.encoder = nn.Linear(features, hidden)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        code = torch.tanh(self.encoder(x.detach()))  # the data are constants, only the weights learn
        return self.head(code)


def penalised_loss(model: nn.Module, x: torch.Tensor, y: torch.Tensor, strength: float) -> torch.Tensor:
    error = (model(x) - y).square().mean()
    trainable = [parameter for parameter in model.parameters() if parameter.requires_grad]
    penalty = sum(parameter.square().sum() for parameter in trainable)
    return error + strength * penalty
