"""Training 15 of 15: cross-entropy with label smoothing.

Difficulty 3 of 5, about 12 minutes.
"""

import torch


def smoothed_cross_entropy(logits: torch.Tensor, labels: torch.Tensor, smoothing: float) -> torch.Tensor:
    """Return the mean cross-entropy between predictions and smoothed labels.

    The smoothed label of a sample is a probability for each class: smoothing / classes for every class, and
    1 - smoothing more for the class of its label. The loss of a sample is minus the sum, over the classes, of this
    probability times the logarithm of the predicted probability.

    Shapes:
        logits     (batch, classes), floating point
        labels     (batch,), int64, from 0 to classes - 1, on the device of logits
        smoothing  a number from 0 to 1
        result     (), the mean over the batch, dtype and device of logits

    Example:
        >>> logits = torch.tensor([[1.0, 1.0], [3.0, 0.0]])
        >>> smoothed_cross_entropy(logits, torch.tensor([0, 0]), 0.0)
        tensor(0.3709)
        >>> smoothed_cross_entropy(logits, torch.tensor([0, 0]), 0.2)
        tensor(0.5209)

    Pitfall:
        The class of the label gets a share of the smoothing, too: with 0.2 and two classes it has 0.9, not 0.8.

    Not allowed: cross_entropy and CrossEntropyLoss (then this exercise is not done). They have label smoothing built in.

    For full marks:
        * logits such as 1000 and -1000 give the right loss
        * a sample with the label -100 doesn't count: the loss is the mean over the others
    """
    raise NotImplementedError("07_training/ex15_label_smoothing: write smoothed_cross_entropy()")
