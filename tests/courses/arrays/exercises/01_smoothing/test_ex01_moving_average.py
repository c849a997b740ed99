"""Visible tests for moving_average: pytest exercises/01_smoothing -k moving_average"""

import numpy as np

from ex01_moving_average import moving_average


def test_the_mean_of_two_neighbors():
    """One and three have the mean two."""
    got = moving_average(np.array([1.0, 3.0, 5.0]), 2)

    assert got.tolist() == [2.0, 4.0]
