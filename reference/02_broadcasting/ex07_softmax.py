"""Reference solution for softmax."""

import torch


def softmax(x: torch.Tensor, dim: int) -> torch.Tensor:
    """Return exp(x) divided by the sum of exp(x) along one axis, right for large numbers too."""
    exps = torch.exp(x - x.amax(dim, keepdim=True))
    return exps / exps.sum(dim, keepdim=True)
