"""Reference solution for the create exercise."""

import torch


def from_list(numbers: list) -> torch.Tensor:
    """Return the numbers of a (nested) list as a tensor, with the dtype that PyTorch infers."""
    return torch.tensor(numbers)


def zero_table(rows: int, columns: int) -> torch.Tensor:
    """Return a tensor of zeros."""
    return torch.zeros(rows, columns)


def identity_matrix(n: int) -> torch.Tensor:
    """Return a matrix with 1 on the diagonal and 0 elsewhere."""
    return torch.eye(n)


def filled_like(t: torch.Tensor, value: float) -> torch.Tensor:
    """Return a new tensor with the shape and dtype of t, and value everywhere. t is not changed."""
    return torch.full_like(t, value)
