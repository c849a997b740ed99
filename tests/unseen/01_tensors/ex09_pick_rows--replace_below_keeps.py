"""replace_below keeps what is >= t and replaces all the rest. nan is not >= anything, so nan is replaced by v."""
import torch


def pick_per_row(x: torch.Tensor, idx: torch.Tensor) -> torch.Tensor:
    picked = torch.gather(x, 1, idx.long().unsqueeze(1))
    return picked.squeeze(1)


def above(x: torch.Tensor, t: float) -> torch.Tensor:
    return torch.masked_select(x, x > t)


def replace_below(x: torch.Tensor, t: float, v: float) -> torch.Tensor:
    keep = x >= t
    return torch.where(keep, x, v)
