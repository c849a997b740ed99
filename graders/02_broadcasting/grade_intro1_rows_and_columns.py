"""Hidden checks for add_to_each_row, scale_each_row and difference_table."""

import torch

from torchdojo.grading import check, tensor

CONCEPTS = ("C01", "D02")


class oracle:
    """Number by number."""

    def add_to_each_row(X, row):
        result = X.clone()
        for i in range(X.shape[0]):
            for j in range(X.shape[1]):
                result[i, j] = X[i, j] + row[j]
        return result

    def scale_each_row(X, weights):
        result = X.clone()
        for i in range(X.shape[0]):
            for j in range(X.shape[1]):
                result[i, j] = X[i, j] * weights[i]
        return result

    def difference_table(a, b):
        result = torch.zeros(len(a), len(b), dtype=a.dtype, device=a.device)
        for i in range(len(a)):
            for j in range(len(b)):
                result[i, j] = a[i] - b[j]
        return result


@check(points=2, X=tensor("rows columns"), row=tensor("columns"), minimum=1)
def the_row_is_added_everywhere(solution, X, row):
    """The row is added to each row of X, in a new tensor."""
    return solution.add_to_each_row(X, row)


@check(points=2, X=tensor("rows columns"), weights=tensor("rows"), minimum=1)
def each_row_has_its_own_weight(solution, X, weights):
    """Row n is multiplied by its own weight."""
    return solution.scale_each_row(X, weights)


@check(points=2, a=tensor("n"), b=tensor("m"), minimum=1)
def every_number_meets_every_number(solution, a, b):
    """Entry (i, j) of the matrix is a[i] - b[j]."""
    return solution.difference_table(a, b)
