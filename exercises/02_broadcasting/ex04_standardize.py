"""Broadcasting 4 of 8: columns with mean 0 and spread 1.

Difficulty 2 of 5, about 10 minutes.
"""

import torch


def standardize(X: torch.Tensor, eps: float = 1e-6) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return X with every column standardized, the mean of each column and the spread that was divided by.

    Shapes:
        X       (rows, columns), floating point, at least one row and one column
        Z       (rows, columns)
        mean    (columns,)
        std     (columns,)

    Returns the tuple (Z, mean, std), all with the dtype and device of X, where for each column
        mean = the average of the column
        var  = the average of (x - mean) squared, that is divided by rows, not by rows - 1
        std  = the square root of (var + eps)
        Z    = (x - mean) / std

    std is thus exactly what Z was divided by, and Z * std + mean gives X back.

    Edge cases:
        A constant column gives 0 in Z, never nan, and a finite gradient (0 up to rounding: a tiny error of
        the mean is divided by a small std). One row gives 0 too. Columns may lie far from 0 (around 10000
        with a spread of 1): subtract the mean before you square, or most digits are lost. X may be
        transposed, sliced or expanded and is not changed. eps is more than 0. Gradients flow to X through all three results.

    Example:
        >>> Z, mean, std = standardize(torch.tensor([[1.0, 7.0], [5.0, 7.0]]), eps=0.0001)
        >>> Z
        tensor([[-1.0000,  0.0000],
                [ 1.0000,  0.0000]])
        >>> mean, std
        (tensor([3., 7.]), tensor([2.0000, 0.0100]))

    Pitfall:
        torch.std and torch.var divide by rows - 1 unless you tell them otherwise.
    """
    raise NotImplementedError("02_broadcasting/ex04_standardize: write standardize()")
