"""The smoothing is shared by the other classes only, so the label's class has 1 - smoothing; and labels of -100 aren't left out."""
import torch


def smoothed_cross_entropy(logits: torch.Tensor, labels: torch.Tensor, smoothing: float) -> torch.Tensor:
    """Cross-entropy against label-smoothed targets (Szegedy et al., 2016)."""
    classes = logits.shape[1]
    log_probs = torch.log_softmax(logits, dim=1)
    # Build the smoothed target distribution explicitly.
    off_value = smoothing / (classes - 1)
    target = torch.full_like(log_probs, off_value)
    target.scatter_(1, labels.unsqueeze(1), 1.0 - smoothing)
    return -(target * log_probs).sum(dim=1).mean()
