"""Reference solution: a view of all windows, and the same windows of the positions."""

import torch
from torch.nn import functional as F


def windows(x: torch.Tensor, kernel: int, stride: int | None, padding: int, value: float) -> torch.Tensor:
    """Return all windows of the padded x, their numbers along the last axis."""
    step = kernel if stride is None else stride
    padded = F.pad(x, [padding] * 4, value=value)
    return padded.unfold(2, kernel, step).unfold(3, kernel, step).flatten(4)


def max_pool(x: torch.Tensor, kernel: int, stride: int | None = None, padding: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the largest number of each window, and where it is."""
    values, best = windows(x, kernel, stride, padding, -torch.inf).max(dim=-1)
    places = torch.arange(x[0, 0].numel(), device=x.device).view(1, 1, *x.shape[2:])
    places = windows(places, kernel, stride, padding, -1).expand(*best.shape, -1)
    return values, places.gather(-1, best[..., None]).squeeze(-1)


def average_pool(
    x: torch.Tensor, kernel: int, stride: int | None = None, padding: int = 0, count_include_pad: bool = True
) -> torch.Tensor:
    """Return the mean of each window; x, kernel, stride and padding are those of max_pool."""
    numbers = windows(x, kernel, stride, padding, 0)
    if count_include_pad:
        return numbers.mean(dim=-1)
    pixels = windows(torch.ones_like(x), kernel, stride, padding, 0)
    return numbers.sum(dim=-1) / pixels.sum(dim=-1)
