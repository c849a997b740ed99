"""Hidden checks for standardize."""

import torch

from torchdojo.grading import built, check, gradients, tensor, upstream

CONCEPTS = ("C01", "D02")
KEPT = {
    "mean_is_that_of_each_column": "one of the three results, worth points of its own",
    "std_is_that_of_each_column": "one of the three results, worth points of its own",
    "constant_column_has_a_finite_gradient": "a gradient that is easy to lose, said by itself",
    "constant_column_gives_zero": "the reason for eps, said by itself",
    "dtype_and_X_stay": "a promise of the exercise, said by itself",
    "columns_are_standardized": "the definition itself, worth points without gradients",
}


class oracle:
    """The definition, with the population variance."""

    def standardize(X, eps=1e-6):
        mean = X.sum(0) / len(X)
        std = (((X - mean) ** 2).sum(0) / len(X) + eps) ** 0.5
        return (X - mean) / std, mean, std


SPREAD = {"X": tensor("rows columns", distinct=True), "minimum": 2, "dtypes": ("float64",), "mutates": ("X",), "aliasing": "any"}
TINY = 1e-12  # too small to be seen: eps has a check of its own


@check(points=2, **SPREAD)
def mean_is_that_of_each_column(solution, X):
    """mean holds the average of each column."""
    _, mean, _ = solution.standardize(X, TINY)
    return {"mean": mean}


@check(points=2, **SPREAD)
def std_is_that_of_each_column(solution, X):
    """std is the root of the mean squared distance from the mean; the divisor is the number of rows."""
    _, _, std = solution.standardize(X, TINY)
    return {"std": std}


@check(points=2, **SPREAD)
def columns_are_standardized(solution, X):
    """In Z every column has mean 0 and standard deviation 1."""
    Z, _, _ = solution.standardize(X, TINY)
    return {"Z": Z}


@check(
    points=1, star=True, X=tensor("rows columns", distinct=True), minimum=2, dtypes=("float64",), mutates=("X",), aliasing="any"
)
def eps_is_added_to_the_variance(solution, X):
    """eps is added under the square root, and Z is divided by exactly that std; the default eps is 1e-6."""
    Z, mean, std = solution.standardize(X.clone(), eps=0.3)
    plain, small = solution.standardize(X.clone(), TINY)[2], [solution.standardize(X * 1e-3, *eps)[2] for eps in [(), (TINY,)]]
    added = {"added to the variance by eps=0.3": std**2 - plain**2, "with eps left out": 1e6 * (small[0] ** 2 - small[1] ** 2)}
    return {"Z * std + mean": Z * std + mean} | added


def above(Z):
    """Which elements lie above the mean of their column; one on the mean is off by rounding alone."""
    return Z > 1e-4


def columns_of_one_value(case):
    value = case.tensor("1 columns", dtype="float64", layouts=False)
    return value.expand(case.size("rows"), -1).clone()


# one row: its variance has a divisor of 0 if that is rows - 1
@check(
    points=1, X=built(columns_of_one_value, "rows columns"), minimum={"rows": 2, "columns": 1}, tolerance=(1e-6, 1e-6), mutates=("X",),
    examples=[{"X": torch.tensor([[2.0, -0.5]])}],
)  # fmt: skip
def constant_column_gives_zero(solution, X):
    """A constant column becomes 0, never nan."""
    rising = torch.arange(len(X), dtype=X.dtype, device=X.device)[:, None]
    Z, _, _ = solution.standardize(torch.cat([X, rising], dim=1), 1e-4)
    return {"Z of constant columns": Z[:, :-1], "above the mean in a column that rises": above(Z[:, -1:])}


@check(points=1, star=True, X=built(columns_of_one_value, "rows columns"), minimum={"rows": 2, "columns": 1}, tolerance=(1e-6, 1e-6), mutates=("X",), beside=True)
def constant_column_has_a_finite_gradient(solution, X):
    """The gradient of a constant column is finite."""
    X.requires_grad_()
    rising = torch.arange(len(X), dtype=X.dtype, device=X.device)[:, None]
    Z, mean, _ = solution.standardize(torch.cat([X, rising], dim=1), 1e-4)
    (gradient,) = gradients(Z.sum(), [X])
    return {"mean": mean.reshape(-1)}, {"gradient finite": gradient is None or bool(torch.isfinite(gradient).all())}


def far_from_zero(case):
    X = case.tensor("rows columns", low=-1, high=1)
    return X + 10_000 + 3 * torch.arange(len(X), dtype=X.dtype)[:, None]  # no column is constant


# the mean of numbers around 10000 is off by up to 5e-4 in float32; measured gap of right solutions 3e-3
@check(
    points=1, star=True, X=built(far_from_zero, "rows columns"), minimum={"rows": 3, "columns": 1}, dtypes=("float32",), tolerance=(1e-2, 1e-2),
    mutates=("X",), aliasing="any",
)  # fmt: skip
def columns_far_from_zero_keep_their_digits(solution, X):
    """Columns around 10000 are standardized as precisely as columns around 0."""
    Z, _, _ = solution.standardize(X)
    return {"Z": Z}


@check(points=1, X=tensor("rows columns", distinct=True), minimum=2, tolerance=(1e-5, 1e-5), beside=True)
def dtype_and_X_stay(solution, X):
    """The results have the dtype of X, and X does not change."""
    Z = solution.standardize(X, TINY)[0]
    return {"above the mean": above(Z)}, {"dtype": Z.dtype}


@check(points=1, star=True, X=tensor("rows columns"), minimum={"rows": 3, "columns": 1}, dtypes=("float64",), tolerance=(1e-7, 1e-8))
def gradients_flow_through_all_three(solution, X, rng):
    """Gradients reach X through Z, through the mean and through the std."""
    X = (X + 9 * torch.arange(len(X), dtype=X.dtype, device=X.device)[:, None]).requires_grad_()  # no column is constant
    Z, mean, std = solution.standardize(X + 0, TINY)
    results = {"gradient through the mean": mean, "gradient through the std": std, "gradient through Z": Z}  # Z is wrong if one of the others is
    return {name: gradients(y, [X], upstream(y, rng), retain_graph=True)[0] for name, y in results.items()}
