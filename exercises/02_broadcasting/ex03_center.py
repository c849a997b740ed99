"""Broadcasting 3 of 8: subtract a mean along any axis.

Difficulty 1 of 5, about 5 minutes.
"""

import torch


def center(X: torch.Tensor, dim: int) -> torch.Tensor:
    """Return X minus its mean along one axis, so that the mean along that axis is 0.

    Shapes:
        X       one axis or more, floating point
        dim     one axis of X, counted from the front (0, 1, ...) or from the back (-1, -2, ...)
        result  shape and dtype of X

    For a matrix (rows, columns), dim 0 subtracts each column's mean from that column, and dim 1 subtracts
    each row's mean from that row. X is not changed.

    Example:
        >>> center(torch.tensor([[1.0, 2.0, 6.0], [3.0, 3.0, 3.0]]), dim=1)
        tensor([[-2., -1.,  3.],
                [ 0.,  0.,  0.]])

    Pitfall:
        A mean along an axis removes that axis, and what is left may line up with another one. On a square
        matrix that gives wrong numbers without an error.

    For full marks:
        * gradients flow to X both through X itself and through the mean
    """
    raise NotImplementedError("02_broadcasting/ex03_center: write center()")
