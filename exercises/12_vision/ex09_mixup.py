"""Vision 9 of 12: mixup, images that are half one thing and half another.

Difficulty 2 of 5, about 15 minutes.
"""

import torch


def mixup(images: torch.Tensor, labels: torch.Tensor, alpha: float) -> tuple[torch.Tensor, torch.Tensor, float]:
    """Return a batch in which each image is mixed with another one, the labels of the others, and the weight.

    The weight is one random number for the whole batch, from torch.distributions.Beta(alpha, alpha). Image i becomes
    weight * images[i] + (1 - weight) * images[order[i]], where order is a random permutation of the batch. Both are drawn in
    each call, with torch's global random numbers.

    Shapes:
        images  (batch, channels, height, width), floating point
        labels  (batch,), int64
        alpha   a number of at least 0
        result  the mixed images, shape, dtype and device of images; labels[order]; the weight, a Python float

    Example:
        >>> mixed, others, weight = mixup(torch.ones(4, 3, 2, 2), torch.tensor([0, 1, 2, 3]), alpha=0.4)
        >>> mixed.shape, sorted(others.tolist()), 0 <= weight <= 1
        (torch.Size([4, 3, 2, 2]), [0, 1, 2, 3], True)

    Pitfall:
        The labels of the others are in the same order as the images of the others: draw the order once.

    For full marks:
        * with alpha = 0 nothing is mixed: the weight is 1, where Beta(0, 0) raises an error
    """
    raise NotImplementedError("12_vision/ex09_mixup: write mixup()")


def mixup_loss(logits: torch.Tensor, labels: torch.Tensor, others: torch.Tensor, weight: float) -> torch.Tensor:
    """Return the loss of mixed images: weight times the cross-entropy with labels, plus 1 - weight times that with others.

    Shapes:
        logits          (batch, classes), of the mixed images
        labels, others  (batch,), int64
        result          a scalar (0-dim tensor), the mean over the batch

    Example:
        >>> mixup_loss(torch.tensor([[0.5, 0.25, 0.25]]).log(), torch.tensor([0]), torch.tensor([2]), weight=0.75)
        tensor(0.8664)

    Pitfall:
        Half of class 2 and half of class 4 is not class 3: mix losses, not class numbers.
    """
    raise NotImplementedError("12_vision/ex09_mixup: write mixup_loss()")
