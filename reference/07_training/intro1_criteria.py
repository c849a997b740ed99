"""Loss objects, built, called and configured."""

import torch
from torch import nn


def make_criterion(task: str) -> nn.Module:
    """Return a new loss object for the task."""
    return nn.MSELoss() if task == "regression" else nn.CrossEntropyLoss()


def loss_of(criterion: nn.Module, model: nn.Module, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Return the loss of the model for one batch."""
    return criterion(model(x), y)


def sample_losses(scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the cross-entropy of each sample, instead of their mean."""
    return nn.CrossEntropyLoss(reduction="none")(scores, labels)
