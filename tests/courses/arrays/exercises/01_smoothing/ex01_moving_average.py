"""Smoothing 1 of 1: the moving average.

Difficulty 2 of 5, about 10 minutes.
"""

import numpy as np


def moving_average(x: np.ndarray, n: int) -> np.ndarray:
    """Return the mean of each n neighbors in x.

    Shapes:
        x       (length,), float64
        n       from 1 to length
        result  (length - n + 1,), float64, a new array

    Example:
        >>> moving_average(np.array([1.0, 3.0, 5.0]), 2)
        array([2., 4.])
    """
    raise NotImplementedError("01_smoothing/ex01_moving_average: write moving_average()")
