"""I used x.clamp(min=0) for the positive part; its gradient at exactly 0 is 1, so where x is 0 the gradient of x is gate + 1."""
import torch

REPAIRED = True  # set to True when you have repaired the code below


def sigmoid_shares(scores: torch.Tensor) -> torch.Tensor:
    parts = torch.sigmoid(scores)
    return parts / parts.sum(dim=-1, keepdim=True)


def gated_block(x: torch.Tensor, gate: torch.Tensor) -> torch.Tensor:
    gated = x * gate
    return gated + x.clamp(min=0)
