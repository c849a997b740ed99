"""The distance is computed as a*a - 2ab + b*b, which loses the digits in float32 for points around 10000 (0 or even negative instead of 1), and equal rows need not give exactly 0."""
import torch


def pairwise_sqdist(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    aa = (a * a).sum(dim=1, keepdim=True)
    bb = (b * b).sum(dim=1)
    return aa - 2 * (a @ b.T) + bb
