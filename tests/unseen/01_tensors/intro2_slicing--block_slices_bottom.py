"""block_of slices to bottom + 1 and right + 1, so row bottom and column right are included: one row and one column too many."""
import torch


def row_of(t: torch.Tensor, n: int) -> torch.Tensor:
    return t[n]


def column_of(t: torch.Tensor, n: int) -> torch.Tensor:
    return t[:, n]


def block_of(t: torch.Tensor, top: int, bottom: int, left: int, right: int) -> torch.Tensor:
    return t[top:bottom + 1, left:right + 1]


def every_second_column(t: torch.Tensor) -> torch.Tensor:
    return t[:, ::2]
