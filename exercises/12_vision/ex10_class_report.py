"""Vision 10 of 12: top-k accuracy, accuracy by class, and a confusion matrix.

Difficulty 3 of 5, about 20 minutes.
"""

from collections.abc import Iterable

import torch
from torch import nn


def confusion_matrix(labels: torch.Tensor, predicted: torch.Tensor, classes: int) -> torch.Tensor:
    """Return how many images of each class were taken for which class.

    Shapes:
        labels, predicted  (images,), int64, from 0 to classes - 1
        result             (classes, classes), int64, on the device of labels: a row for each true class, a column for each
                           predicted one

    Example:
        >>> confusion_matrix(torch.tensor([0, 0, 0, 1]), torch.tensor([2, 2, 0, 1]), classes=3)
        tensor([[1, 0, 2],
                [0, 1, 0],
                [0, 0, 0]])

    Pitfall:
        matrix[labels, predicted] += 1 counts a pair once, however often it occurs.
    """
    raise NotImplementedError("12_vision/ex10_class_report: write confusion_matrix()")


def class_accuracies(matrix: torch.Tensor) -> torch.Tensor:
    """Return the share of each class's images that were recognized.

    Shapes:
        matrix  (classes, classes), int64, as above
        result  (classes,), float32, on the device of matrix

    Example:
        >>> class_accuracies(torch.tensor([[3, 1], [0, 2]]))
        tensor([0.7500, 1.0000])

    For full marks:
        * a class without images has nan, because nothing is known of it
    """
    raise NotImplementedError("12_vision/ex10_class_report: write class_accuracies()")


def count_top_k(scores: torch.Tensor, labels: torch.Tensor, k: int) -> int:
    """Return for how many images the right class is among the k classes with the largest scores.

    Shapes:
        scores  (images, classes); no two scores of an image are equal
        labels  (images,), int64
        result  a Python int

    Example:
        >>> count_top_k(torch.tensor([[0.1, 0.7, 0.2], [0.5, 0.1, 0.4]]), torch.tensor([2, 1]), k=2)
        1

    For full marks:
        * with k larger than the number of classes, all images count
    """
    raise NotImplementedError("12_vision/ex10_class_report: write count_top_k()")


def evaluate_images(model: nn.Module, batches: Iterable, classes: int, k: int) -> dict:
    """Return {"top 1": float, "top k": float, "confusion": Tensor}: both accuracies, and the confusion matrix.

    Each batch is a pair (images, labels), and model(images) gives scores (images, classes). The batches have different sizes;
    all numbers are over all images. The model runs in evaluation mode, and no graph is built.

    Use confusion_matrix and count_top_k; most hidden checks replace them with right ones here.

    Example:
        >>> batches = [(torch.eye(3), torch.tensor([0, 1, 2])), (torch.eye(3)[:1], torch.tensor([2]))]
        >>> evaluate_images(nn.Identity(), batches, classes=3, k=3)["top 1"]
        0.75

    Pitfall:
        The mean of the accuracies of batches counts the images of a small batch too much.

    For full marks:
        * afterwards each module of the model is in the mode that it was in
    """
    raise NotImplementedError("12_vision/ex10_class_report: write evaluate_images()")
