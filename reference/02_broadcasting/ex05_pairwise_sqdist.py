"""Reference solution for pairwise_sqdist."""

import torch


def pairwise_sqdist(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the squared distance of every row of a to every row of b, by broadcasting."""
    return (a[:, None, :] - b[None, :, :]).square().sum(dim=-1)
