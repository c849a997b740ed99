"""Debugging bonus 1: a classifier that is never sure.

Difficulty 2 of 5, about 10 minutes.

Symptom. `torchdojo symptom bonus1_double_softmax` runs both programs. There are three classes, and the model's
answers are right and as sure as possible. This program

    model = SmallClassifier(3, 3, 3)
    with torch.no_grad():
        for layer in (model.fc1, model.fc2):
            layer.weight.copy_(100 * torch.eye(3))
            layer.bias.zero_()
    x = torch.eye(3)
    labels = torch.tensor([0, 1, 2])
    print("probabilities", class_probabilities(model, x).tolist())
    print("loss", round(labels_loss(model, x, labels).item(), 4))

prints

    probabilities [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    loss 0.5514

The loss should be 0. And with labels that were read from a file of numbers, as float32, this program

    labels_loss(SmallClassifier(3, 3, 3), torch.eye(3), torch.tensor([0.0, 1.0, 2.0]))

stops with

    RuntimeError: expected target dtype to be Long or Byte, but got Float

Repair the code below; change as little as you can.
"""

import torch
from torch import nn
from torch.nn import functional as F

REPAIRED = False  # set to True when you have repaired the code below


class SmallClassifier(nn.Module):
    """Compute the logits of each class: linear to `hidden` numbers, relu, linear.

    Shapes:
        x       (batch, features)  dtype and device of the parameters
        result  (batch, classes)   dtype and device of x: any real numbers, not probabilities

    The layers keep their names fc1 and fc2. Nothing is applied after fc2, not even in eval mode. Gradients flow to
    the parameters and to x.
    """

    def __init__(self, features: int, hidden: int, classes: int):
        super().__init__()
        self.fc1 = nn.Linear(features, hidden)
        self.fc2 = nn.Linear(hidden, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the logits."""
        return torch.softmax(self.fc2(torch.relu(self.fc1(x))), dim=1)


def labels_loss(model: nn.Module, x: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean cross entropy between the model's logits and the labels.

    Arguments:
        model   an nn.Module; model(x) gives logits (batch, classes)
        x       what the model takes; at least one sample
        labels  (batch,) whole numbers from 0 to classes - 1, of any integer or floating dtype, on x's device
        result  a 0-dim tensor with a graph, dtype and device of the logits

    Gradients flow to the logits. labels is not changed.

    Example:
        >>> logits = torch.tensor([[0.0, 0.0], [1000.0, 0.0]])
        >>> loss = labels_loss(torch.nn.Identity(), logits, torch.tensor([1.0, 0.0]))
        >>> round(loss.item(), 4)    # log(2) / 2
        0.3466

    Pitfall:
        cross_entropy applies softmax itself. Given probabilities, it takes the softmax of numbers between 0
        and 1, and the loss cannot come near 0.

    For full marks:
        * Logits as large as 10000, of both signs, give a finite loss and finite gradients.
        * The model is called once, in the mode it is in, and its mode stays as it is.
    """
    return F.cross_entropy(model(x), labels)


def class_probabilities(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Return the probability of each class for each sample.

    Shapes:
        model(x)  logits (batch, classes)
        result    (batch, classes)  dtype and device of the logits; each row sums to 1

    Example:
        >>> class_probabilities(torch.nn.Identity(), torch.tensor([[0.0, 0.0]]))
        tensor([[0.5000, 0.5000]])

    For full marks:
        * Logits as large as 10000 give no nan.
        * The model is called once, in the mode it is in, and its mode stays as it is.
    """
    return model(x)
