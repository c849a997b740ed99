"""Hidden checks for center."""

import torch

from torchdojo.grading import check, gradients, tensor, upstream

CONCEPTS = ("D02", "E06")
KEPT = {
    "mean_of_each_row_or_column_is_gone": "rows and columns are the exercise; three axes come on top",
    "works_along_any_of_three_axes": "three axes are a step of their own",
    "works_for_a_vector": "the smallest input, for a message that is easy to read",
}


class oracle:
    """One slice along the axis at a time."""

    def center(X, dim):
        size = X.shape[dim]
        mean = X.sum(dim, keepdim=True) / max(size, 1)
        return X - mean.expand(X.shape)


@check(points=2, X=tensor("rows columns"), dim=[0, 1, -1, -2])
def mean_of_each_row_or_column_is_gone(solution, X, dim):
    """The mean along the axis is subtracted, for rows and for columns."""
    return solution.center(X, dim)


def numbers(*shape):
    """Squares, so that no two slices have the same mean; in float64, where it does not matter how the mean is rounded."""
    return torch.arange(1.0, 1 + torch.Size(shape).numel(), dtype=torch.float64).square().reshape(shape)


MORE_AXES = [{"X": numbers(2, 3, 2, 3), "dim": dim} for dim in (1, -2)] + [{"X": numbers(2, 2, 2, 2, 2), "dim": 2}]


@check(points=2, X=tensor("blocks rows columns"), dim=[1, 0, 2, -1, -2, -3], examples=MORE_AXES)
def works_along_any_of_three_axes(solution, X, dim):
    """Any axis of a tensor with three axes or more can be centered, also a middle one."""
    return solution.center(X, dim)


@check(points=1, X=tensor("n"), dim=[0, -1])
def works_for_a_vector(solution, X, dim):
    """A vector has one mean."""
    return solution.center(X, dim=dim)


OTHER_RANKS = [{"X": numbers(4), "dim": 0, "rng": 1}, {"X": numbers(2, 3, 2), "dim": -2, "rng": 2}]


@check(points=1, X=tensor("rows columns"), dim=[0, 1, -1], minimum=1, examples=OTHER_RANKS)
def gradient_flows_through_the_mean_too(solution, X, dim, rng):
    """The gradient takes both ways: through X and through its mean."""
    X.requires_grad_()
    y = solution.center(X, dim)
    return {"gradient": gradients(y, [X], upstream(y, rng))[0]}
