"""Exercise: 08_debugging/ex05_stray_cpu.
Step numbers are counted in ones like the lengths, so no device is named.
"""

import torch
from torch import nn
from torch.nn import functional as F

REPAIRED = True


class SequencePool(nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.head = nn.Linear(features, classes)

    def forward(self, x, lengths):
        numbers = lengths.new_ones(x.shape[1]).cumsum(0)
        weights = torch.where(numbers <= lengths[:, None], numbers, torch.zeros_like(numbers)).type_as(x)
        pooled = (x * weights.unsqueeze(-1)).sum(dim=1) / weights.sum(dim=1, keepdim=True)
        return self.head(pooled)


def sequence_loss(model, batch):
    parameter = next(model.parameters())
    x, lengths, labels = batch
    scores = model(x.to(parameter), lengths.to(parameter.device))
    return F.cross_entropy(scores, labels.to(scores.device))
