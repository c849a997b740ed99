"""(a) sigmoid_shares detaches the sum, so the gradient treats it as a constant. (b) gated_block uses clamp(min=0), whose gradient at x = 0 is 1, so x gets gate + 1 there."""
import torch

REPAIRED = True


def sigmoid_shares(scores: torch.Tensor) -> torch.Tensor:
    parts = torch.sigmoid(scores)
    total = parts.sum(dim=-1, keepdim=True).detach()
    return parts / total


def gated_block(x: torch.Tensor, gate: torch.Tensor) -> torch.Tensor:
    gated = x * gate
    return gated + x.clamp(min=0)
