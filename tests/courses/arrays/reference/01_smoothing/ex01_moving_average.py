"""Every window times equal weights."""

import numpy as np


def moving_average(x: np.ndarray, n: int) -> np.ndarray:
    """Return the mean of each n neighbors in x."""
    return np.lib.stride_tricks.sliding_window_view(x, n) @ np.full(n, 1 / n)
