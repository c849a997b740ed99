"""Reference solution: one weight, one permutation, and two losses."""

import torch
from torch.nn import functional as F


def mixup(images: torch.Tensor, labels: torch.Tensor, alpha: float) -> tuple[torch.Tensor, torch.Tensor, float]:
    """Return a batch in which each image is mixed with another one, the labels of the others, and the weight."""
    weight = torch.distributions.Beta(alpha, alpha).sample().item() if alpha else 1.0
    order = torch.randperm(len(images), device=images.device)
    return weight * images + (1 - weight) * images[order], labels[order], weight


def mixup_loss(logits: torch.Tensor, labels: torch.Tensor, others: torch.Tensor, weight: float) -> torch.Tensor:
    """Return the loss of mixed images: weight times the cross-entropy with labels, plus 1 - weight times that with others."""
    return weight * F.cross_entropy(logits, labels) + (1 - weight) * F.cross_entropy(logits, others)
