"""Reference solution: logits go into the loss, softmax is for people."""

import torch
from torch import nn
from torch.nn import functional as F

REPAIRED = True


class SmallClassifier(nn.Module):
    """Compute the logits of each class: linear to `hidden` numbers, relu, linear."""

    def __init__(self, features: int, hidden: int, classes: int):
        super().__init__()
        self.fc1 = nn.Linear(features, hidden)
        self.fc2 = nn.Linear(hidden, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the logits."""
        return self.fc2(torch.relu(self.fc1(x)))


def labels_loss(model: nn.Module, x: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean cross entropy between the model's logits and the labels."""
    return F.cross_entropy(model(x), labels.long())


def class_probabilities(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Return the probability of each class for each sample."""
    return torch.softmax(model(x), dim=1)
