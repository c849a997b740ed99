"""Reference solution: the number of axes decides."""

from torch import nn


def decay_groups(model: nn.Module, weight_decay: float) -> list[dict]:
    """Return two parameter groups for an optimizer: parameters that decay, and parameters that don't."""
    trained = [p for p in model.parameters() if p.requires_grad]
    return [
        {"params": [p for p in trained if p.dim() >= 2], "weight_decay": weight_decay},
        {"params": [p for p in trained if p.dim() < 2], "weight_decay": 0.0},
    ]
