"""Reference solution: a new tensor in each line."""

import torch

REPAIRED = True


def sigmoid_shares(scores: torch.Tensor) -> torch.Tensor:
    """Return the sigmoid of each score divided by the sum of the sigmoids of its row."""
    parts = torch.sigmoid(scores)
    return parts / parts.sum(dim=-1, keepdim=True)


def gated_block(x: torch.Tensor, gate: torch.Tensor) -> torch.Tensor:
    """Return x times gate plus the positive part of x."""
    return x * gate + torch.relu(x)
