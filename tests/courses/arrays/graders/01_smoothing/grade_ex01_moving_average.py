"""Hidden checks for moving_average."""

import numpy as np

from torchdojo.grading import check, tensor


class oracle:
    """Window by window."""

    def moving_average(x, n):
        return np.array([x[i : i + n].mean() for i in range(len(x) - n + 1)])


@check(points=3, x=tensor("length"), minimum=3, dtypes=("float64",), n=[2, 1, 3], devices=False)
def windows_are_averaged(solution, x, n):
    """Each n neighbors are averaged."""
    return solution.moving_average(x.numpy(), n)
