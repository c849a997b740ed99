"""(a) pick_per_row ends with squeeze() without an axis, so N = 1 gives shape () instead of (1,). (b) above uses >=, so elements equal to t are returned too."""
import torch


def pick_per_row(x: torch.Tensor, idx: torch.Tensor) -> torch.Tensor:
    return x.gather(1, idx.long().unsqueeze(1)).squeeze()


def above(x: torch.Tensor, t: float) -> torch.Tensor:
    return x[x >= t]


def replace_below(x: torch.Tensor, t: float, v: float) -> torch.Tensor:
    return torch.where(x < t, v, x)
