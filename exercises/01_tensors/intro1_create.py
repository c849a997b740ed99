"""Tensors intro 1: make tensors.

Difficulty 1 of 5, about 5 minutes.
"""

import torch


def from_list(numbers: list) -> torch.Tensor:
    """Return the numbers of a (nested) list as a tensor, with the dtype that PyTorch infers.

    Integers give int64, bools bool, and one float makes all of them float32.

    Example:
        >>> from_list([[1, 2], [3, 4]])
        tensor([[1, 2],
                [3, 4]])

    Pitfall:
        torch.Tensor with a capital T makes float32 of everything.
    """
    raise NotImplementedError("01_tensors/intro1_create: write from_list()")


def zero_table(rows: int, columns: int) -> torch.Tensor:
    """Return a tensor of zeros.

    Shapes:
        result  (rows, columns), float32
    """
    raise NotImplementedError("01_tensors/intro1_create: write zero_table()")


def identity_matrix(n: int) -> torch.Tensor:
    """Return a matrix with 1 on the diagonal and 0 elsewhere.

    Shapes:
        result  (n, n), float32

    Example:
        >>> identity_matrix(2)
        tensor([[1., 0.],
                [0., 1.]])
    """
    raise NotImplementedError("01_tensors/intro1_create: write identity_matrix()")


def filled_like(t: torch.Tensor, value: float) -> torch.Tensor:
    """Return a new tensor with the shape and dtype of t, and value everywhere. t is not changed.

    Example:
        >>> filled_like(torch.tensor([[1, 2, 3]]), 7)
        tensor([[7, 7, 7]])
    """
    raise NotImplementedError("01_tensors/intro1_create: write filled_like()")
