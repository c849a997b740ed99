"""Tensors intro 2: rows, columns and blocks.

Difficulty 1 of 5, about 5 minutes.
"""

import torch


def row_of(t: torch.Tensor, n: int) -> torch.Tensor:
    """Return row n of a matrix. Counting begins at 0, and -1 is the last row.

    Shapes:
        t       (rows, columns)
        result  (columns,)
    """
    raise NotImplementedError("01_tensors/intro2_slicing: write row_of()")


def column_of(t: torch.Tensor, n: int) -> torch.Tensor:
    """Return column n of a matrix.

    Shapes:
        t       (rows, columns)
        result  (rows,)

    Example:
        >>> column_of(torch.tensor([[1, 2, 3], [4, 5, 6]]), 1)
        tensor([2, 5])

    Pitfall:
        t[:][n] is row n: t[:] is the whole matrix again. Both axes belong in one pair of brackets.
    """
    raise NotImplementedError("01_tensors/intro2_slicing: write column_of()")


def block_of(t: torch.Tensor, top: int, bottom: int, left: int, right: int) -> torch.Tensor:
    """Return rows top to bottom and columns left to right, without row bottom and column right.

    Shapes:
        t       (rows, columns)
        result  (bottom - top, right - left)

    Example:
        >>> block_of(torch.arange(12).reshape(3, 4), 0, 2, 2, 4)
        tensor([[2, 3],
                [6, 7]])
    """
    raise NotImplementedError("01_tensors/intro2_slicing: write block_of()")


def every_second_column(t: torch.Tensor) -> torch.Tensor:
    """Return columns 0, 2, 4, ... of a matrix.

    Shapes:
        t       (rows, columns)
        result  (rows, (columns + 1) // 2)

    Example:
        >>> every_second_column(torch.tensor([[1, 2, 3], [4, 5, 6]]))
        tensor([[1, 3],
                [4, 6]])

    For full marks:
        * all four results are views: writing to one changes t
    """
    raise NotImplementedError("01_tensors/intro2_slicing: write every_second_column()")
