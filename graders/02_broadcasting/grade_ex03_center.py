"""Hidden checks for center."""

import torch

from torchdojo.grading import check, gradients, tensor, upstream

CONCEPTS = ("D02", "E06")
KEPT = {
    "columns_are_centered": "columns are half of the exercise",
    "rows_are_centered": "rows are half of the exercise",
    "works_along_any_of_three_axes": "three axes are a step of their own",
    "the_result_is_a_new_tensor": "a promise of the exercise, said by itself",
    "works_for_a_vector": "the smallest input, for a message that is easy to read",
}


class oracle:
    """One slice along the axis at a time."""

    def center(X, dim):
        size = X.shape[dim]
        mean = X.sum(dim, keepdim=True) / max(size, 1)
        return X - mean.expand(X.shape)


@check(points=2, X=tensor("rows columns", layouts=False), dim=[0, -2], minimum=2, mutates=("X",), aliasing="any")
def columns_are_centered(solution, X, dim):
    """Along dim 0, each column's own mean is subtracted."""
    return solution.center(X, dim)


@check(points=2, X=tensor("rows columns", layouts=False), dim=[1, -1], minimum=2, mutates=("X",), aliasing="any")
def rows_are_centered(solution, X, dim):
    """Along dim 1, each row's own mean is subtracted."""
    return solution.center(X, dim)


def numbers(*shape):
    """Squares, so that no two slices have the same mean; in float64, where it does not matter how the mean is rounded."""
    return torch.arange(1.0, 1 + torch.Size(shape).numel(), dtype=torch.float64).square().reshape(shape)


MORE_AXES = [{"X": numbers(2, 3, 2, 3), "dim": dim} for dim in (1, -2)] + [{"X": numbers(2, 2, 2, 2, 2), "dim": 2}]


@check(points=1, X=tensor("blocks rows columns", layouts=False), dim=[1, 0, 2, -1, -2, -3], examples=MORE_AXES, mutates=("X",), aliasing="any")
def works_along_any_of_three_axes(solution, X, dim):
    """Any axis of a tensor with three or more axes can be centered, including a middle one."""
    return solution.center(X, dim)


@check(points=1, X=tensor("n", layouts=False), dim=[0, -1], minimum=1, mutates=("X",), aliasing="any")
def works_for_a_vector(solution, X, dim):
    """A vector has one mean; dim may be given by name."""
    return solution.center(X, dim=dim)


@check(points=1, star=True, X=tensor("rows columns", layouts=False), dim=[0], minimum=2, beside=True)
def gradient_flows_through_the_mean_too(solution, X, dim, rng):
    """The gradient flows both through X and through its mean."""
    X.requires_grad_()
    y = solution.center(X + 0, dim)
    given = upstream(y, rng)
    (gradient,) = gradients(y, [X], given)
    return {"gradient": gradient}, {"the mean has a part in it": gradient is not None and not torch.equal(gradient, given)}


@check(points=1, X=tensor("rows columns"), dim=[0], minimum=2, beside=True)
def the_result_is_a_new_tensor(solution, X, dim):
    """X does not change, and the result has its own memory."""
    return solution.center(X, dim), {}
