"""Hidden checks for row_means, column_maxima and row_shares."""

import torch

from torchdojo.grading import check, tensor

CONCEPTS = ("C09", "D02")


class oracle:
    """In Python floats, number by number."""

    def row_means(X):
        return torch.tensor([sum(row) / len(row) for row in X.tolist()], dtype=X.dtype, device=X.device)

    def column_maxima(X):
        return torch.tensor([max(column) for column in zip(*X.tolist(), strict=True)], dtype=X.dtype, device=X.device)

    def row_shares(X):
        return torch.tensor([[x / sum(row) for x in row] for row in X.tolist()], dtype=X.dtype, device=X.device)


@check(points=2, X=tensor("rows columns"), minimum=1)
def each_row_has_its_mean(solution, X):
    """The result is 1-dimensional and holds the mean of each row."""
    return solution.row_means(X)


@check(points=2, X=tensor("rows columns", distinct=True), minimum=1)
def each_column_has_its_maximum(solution, X):
    """The result is 1-dimensional and holds the largest value of each column."""
    return solution.column_maxima(X)


@check(points=2, X=tensor("rows columns", low=1, high=4), sign=[1, -1], minimum=1, tolerance=(1e-5, 1e-6))
def each_row_sums_to_one(solution, X, sign):
    """Each number is divided by the sum of its row, which may be negative."""
    return solution.row_shares(sign * X)
