import torch


def pick_per_row(x: torch.Tensor, idx: torch.Tensor) -> torch.Tensor:
    return x[torch.arange(len(x)), idx]


def above(x: torch.Tensor, t: float) -> torch.Tensor:
    return x[x > t]


def replace_below(x: torch.Tensor, t: float, v: float) -> torch.Tensor:
    out = x.clone()
    out[out < t] = v
    return out
