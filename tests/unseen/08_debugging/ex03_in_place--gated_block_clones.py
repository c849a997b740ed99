"""gated_block clones x but still uses .data.relu_() on the clone: x and the gradient of gate are right now, but relu is hidden from autograd, so x.grad is gate + 1 also where x <= 0."""
import torch

REPAIRED = True


def sigmoid_shares(scores: torch.Tensor) -> torch.Tensor:
    parts = torch.sigmoid(scores)
    return parts / parts.sum(dim=-1, keepdim=True)


def gated_block(x: torch.Tensor, gate: torch.Tensor) -> torch.Tensor:
    gated = x * gate
    positive = x.clone()  # so that x and its gradient are left alone
    positive.data.relu_()
    return gated + positive
