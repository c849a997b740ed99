"""Uses |a|^2 - 2ab + |b|^2: far from the origin large numbers cancel and the digits are lost, and equal rows do not always give exactly 0. Subtract before you square."""
import torch


def _sq_norms(points):
    return (points * points).sum(axis=1)


def pairwise_sqdist(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    # |a - b|^2 = |a|^2 - 2 a.b + |b|^2
    cross = a @ b.T
    return (_sq_norms(a)[:, None] - 2 * cross + _sq_norms(b)[None, :]).clamp(min=0)
