"""The number of images of a class is clamped at 1 to avoid a division by zero, so a class without images has the accuracy 0. The stub wants nan, because nothing is known of it; a 0 would pull down every mean over the classes. The clamp is a reflex, and here 0 / 0 is what one needs."""

from collections.abc import Iterable

import torch
from torch import Tensor, nn


def confusion_matrix(labels: Tensor, predicted: Tensor, classes: int) -> Tensor:
    """Count pairs (true class, predicted class)."""
    pairs = labels * classes + predicted
    return torch.bincount(pairs, minlength=classes * classes).reshape(classes, classes)


def class_accuracies(matrix: Tensor) -> Tensor:
    """Recall of each class, computed without dividing by zero."""
    totals = matrix.sum(dim=1).clamp(min=1)
    return matrix.diagonal().float() / totals.float()


def count_top_k(scores: Tensor, labels: Tensor, k: int) -> int:
    """Count the samples whose label is among the ``k`` best scores."""
    best = scores.topk(min(k, scores.shape[1]), dim=1).indices
    return int((best == labels.unsqueeze(1)).any(dim=1).sum().item())


def evaluate_images(model: nn.Module, batches: Iterable, classes: int, k: int) -> dict:
    """Evaluate ``model`` and collect top-1, top-k and the confusion matrix over all images."""
    modes = {module: module.training for module in model.modules()}
    confusion, top_1, top_k, images_seen = None, 0, 0, 0
    try:
        model.eval()
        with torch.no_grad():
            for images, labels in batches:
                scores = model(images)
                part = confusion_matrix(labels, scores.argmax(dim=1), classes)
                confusion = part if confusion is None else confusion + part
                top_1 += count_top_k(scores, labels, 1)
                top_k += count_top_k(scores, labels, k)
                images_seen += len(labels)
    finally:
        for module, training in modes.items():
            module.training = training

    return {"top 1": top_1 / images_seen, "top k": top_k / images_seen, "confusion": confusion}
