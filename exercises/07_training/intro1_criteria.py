"""Training intro 1: loss objects, often called criterion.

Difficulty 1 of 5, about 5 minutes.
"""

import torch
from torch import nn


def make_criterion(task: str) -> nn.Module:
    """Return a new loss object for the task.

    For "regression" it is the mean squared error, an nn.MSELoss. For "classification" it is the cross-entropy
    of scores and class numbers, an nn.CrossEntropyLoss.

    Example:
        >>> criterion = make_criterion("regression")
        >>> criterion(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
        tensor(2.)

    Pitfall:
        nn.MSELoss is the class. nn.MSELoss() is an object, which you can call.
    """
    raise NotImplementedError("07_training/intro1_criteria: write make_criterion()")


def loss_of(criterion: nn.Module, model: nn.Module, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Return the loss of the model for one batch.

    The criterion gets the model's prediction first and the target y second.

    Shapes:
        x, y    what the model takes, and the targets
        result  a tensor with one number (0-dim), ready for backward()

    Pitfall:
        .item() gives a plain number, on which you can't call backward().
    """
    raise NotImplementedError("07_training/intro1_criteria: write loss_of()")


def sample_losses(scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the cross-entropy of each sample, instead of their mean.

    Shapes:
        scores  (samples, classes), floating point
        labels  (samples,), int64 class numbers
        result  (samples,)

    Example:
        >>> sample_losses(torch.tensor([[0.0, 0.0], [3.0, 0.0]]), torch.tensor([0, 0]))
        tensor([0.6931, 0.0486])

    Pitfall:
        The scores are not probabilities: nn.CrossEntropyLoss takes the softmax itself.
    """
    raise NotImplementedError("07_training/intro1_criteria: write sample_losses()")
