"""Tensors 9 of 9: choosing elements by index and by mask.

Difficulty 2 of 5, about 10 minutes.
"""

import torch


def pick_per_row(x: torch.Tensor, idx: torch.Tensor) -> torch.Tensor:
    """Return one element of each row: x[n, idx[n]] for every n.

    Shapes:
        x       (N, C), any dtype
        idx     (N,), int64 or int32, every value from 0 to C - 1; values may repeat
        result  (N,), dtype and device of x

    N may be 0 or 1. x and idx are on one device. Gradients flow to x (the picked elements get them). What is not
    picked does not matter, also where it is inf or nan.

    Example:
        >>> x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        >>> pick_per_row(x, torch.tensor([2, 0]))
        tensor([3., 4.])

    Pitfall:
        x[:, idx] takes the columns idx from every row and gives an (N, N) table.
    """
    raise NotImplementedError("01_tensors/ex09_pick_rows: write pick_per_row()")


def above(x: torch.Tensor, t: float) -> torch.Tensor:
    """Return the elements of x that are greater than t, in reading order.

    Shapes:
        x       any shape, also () and with axes of size 0; floating point
        result  (how many are greater,), dtype and device of x

    Reading order is row by row, the last axis fastest. Elements equal to t are left out, and so is nan.

    Example:
        >>> above(torch.tensor([[1.0, 5.0], [3.0, 4.0]]), 3.0)
        tensor([5., 4.])

    Pitfall:
        Multiplying by a mask keeps the shape and turns the other elements into 0; it chooses nothing.
    """
    raise NotImplementedError("01_tensors/ex09_pick_rows: write above()")


def replace_below(x: torch.Tensor, t: float, v: float) -> torch.Tensor:
    """Return a copy of x in which every element less than t is v.

    Shapes:
        x       any shape, also () and with axes of size 0; floating point
        result  shape, dtype and device of x

    Elements equal to t stay, and so does nan. x may hold -inf and inf, t and v too. The result has memory of
    its own, also when nothing is replaced. Gradients flow to the elements that stay.

    For all three functions: x may be transposed, sliced or expanded; no input is changed.

    Example:
        >>> replace_below(torch.tensor([-2.0, 0.5, 3.0]), 0.0, 0.0)
        tensor([0.0000, 0.5000, 3.0000])

    Pitfall:
        x[x < t] = v writes into the caller's tensor.
    """
    raise NotImplementedError("01_tensors/ex09_pick_rows: write replace_below()")
