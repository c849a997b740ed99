"""Reference solution: the mean over the labels and the mean over all classes, mixed."""

import torch


def smoothed_cross_entropy(logits: torch.Tensor, labels: torch.Tensor, smoothing: float) -> torch.Tensor:
    """Return the mean cross-entropy between predictions and smoothed labels."""
    counted = labels != -100
    log_p = logits[counted].log_softmax(dim=1)
    of_labels = log_p.gather(1, labels[counted].unsqueeze(1)).mean()
    return -((1 - smoothing) * of_labels + smoothing * log_p.mean())
