"""Tensors intro 3: products of matrices and of rows.

Difficulty 1 of 5, about 6 minutes.
"""

import torch


def batch_product(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return matrix n of a times matrix n of b, for each n. Use torch.bmm.

    Shapes:
        a       (batch, rows, inner), floating point
        b       (batch, inner, columns), dtype of a
        result  (batch, rows, columns)

    Example:
        >>> batch_product(torch.tensor([[[1.0, 2.0]], [[3.0, 4.0]]]), torch.tensor([[[1.0], [1.0]], [[10.0], [1.0]]]))
        tensor([[[ 3.]],
        <BLANKLINE>
                [[34.]]])

    Pitfall:
        a * b multiplies number by number. That is not the product of two matrices.
    """
    raise NotImplementedError("01_tensors/intro3_products: write batch_product()")


def row_dots(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Return the dot product of row n of x and row n of y, for each n. Use torch.einsum.

    Shapes:
        x, y    (rows, columns), floating point, the same dtype
        result  (rows,)

    Example:
        >>> row_dots(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([[1.0, 1.0], [10.0, 0.0]]))
        tensor([ 3., 30.])

    Pitfall:
        The letters on the right of -> are the axes of the result. einsum sums over all others.
    """
    raise NotImplementedError("01_tensors/intro3_products: write row_dots()")
