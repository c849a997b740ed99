"""(a) pick_per_row uses squeeze() without an axis, so a single row gives shape () instead of (1,). (b) replace_below keeps where x >= t; nan compares false, so nan is replaced by v."""
import torch


def pick_per_row(x: torch.Tensor, idx: torch.Tensor) -> torch.Tensor:
    return torch.gather(x, 1, idx.long().unsqueeze(1)).squeeze()


def above(x: torch.Tensor, t: float) -> torch.Tensor:
    return x[x > t]


def replace_below(x: torch.Tensor, t: float, v: float) -> torch.Tensor:
    # np.where habit
    return torch.where(x >= t, x, torch.full_like(x, v))
