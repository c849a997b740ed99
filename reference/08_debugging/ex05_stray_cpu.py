"""Reference solution: every tensor is made on, or brought to, the device of its partners."""

import torch
from torch import nn
from torch.nn import functional as F

REPAIRED = True


class SequencePool(nn.Module):
    """Average the valid steps of each sequence, step t with weight t + 1, and classify the average."""

    def __init__(self, features: int, classes: int):
        super().__init__()
        self.head = nn.Linear(features, classes)

    def forward(self, x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return the scores of each class for each sequence."""
        steps = torch.arange(x.shape[1], device=x.device)
        mask = steps < lengths.unsqueeze(1)
        weights = ((steps + 1) * mask).to(x.dtype)
        pooled = (x * weights.unsqueeze(-1)).sum(dim=1) / weights.sum(dim=1, keepdim=True)
        return self.head(pooled)


def sequence_loss(model: nn.Module, batch: tuple[torch.Tensor, torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Return the mean cross entropy of one batch, computed on the model's device."""
    x, lengths, labels = batch
    device = next(model.parameters()).device
    scores = model(x.to(device), lengths.to(device))
    return F.cross_entropy(scores, labels.to(device))
