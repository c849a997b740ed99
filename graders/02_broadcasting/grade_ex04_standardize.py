"""Hidden checks for standardize."""

import torch

from torchdojo.grading import built, check, gradients, tensor, upstream

CONCEPTS = ("C01", "D02")
KEPT = {
    "columns_far_from_zero_keep_their_digits": "the digits that float32 loses, in numbers that are easy to see",
    "columns_have_mean_zero_and_spread_one": "the definition itself, worth points without gradients",
    "float32_stays_float32": "the dtype and the default eps, said by themselves",
    "constant_column_gives_zero": "the reason for eps, said by itself",
}


class oracle:
    """The definition, with the population variance."""

    def standardize(X, eps=1e-6):
        mean = X.sum(0) / len(X)
        std = (((X - mean) ** 2).sum(0) / len(X) + eps) ** 0.5
        return (X - mean) / std, mean, std


WITHOUT_EPS = [{"X": torch.tensor([[1.0, -2.0], [0.0, 3.0], [2.5, 3.0]], dtype=torch.float64), "eps": 0.0}]


# Within a column the largest rounding error of a mean is divided by a spread of about 1; measured gap 2e-6 in float32.
@check(points=2, X=tensor("rows columns"), eps=[1e-6, 0.3], minimum=1, dtypes=("float64",), examples=WITHOUT_EPS)
def columns_have_mean_zero_and_spread_one(solution, X, eps):
    """Z, mean and std are right, column by column."""
    Z, mean, std = solution.standardize(X, eps)
    return {"Z": Z, "mean": mean, "std": std}


@check(points=1, X=tensor("rows columns", distinct=True), minimum=2, dtypes=("float32",), tolerance=(1e-5, 1e-5))
def float32_stays_float32(solution, X):
    """With eps left out, in float32, also for a column without spread."""
    X = X.clone()
    X[:, -1] = 0
    return solution.standardize(X)


def far_from_zero(case):
    X = case.tensor("rows columns", low=-1, high=1)
    return X + 10_000 + torch.arange(len(X), dtype=X.dtype)[:, None]


# the mean of numbers around 10000 is off by up to 5e-4 in float32; measured gap of right solutions 3e-3
@check(points=1, X=built(far_from_zero, "rows columns"), minimum={"rows": 3, "columns": 1}, dtypes=("float32",), tolerance=(1e-2, 1e-2))
def columns_far_from_zero_keep_their_digits(solution, X):
    """Columns around 10000 are standardized as well as columns around 0."""
    Z, _, std = solution.standardize(X)
    return {"Z": Z, "std": std}


@check(points=1, column=[(100001.0, 100002.0, 100004.0), (-100003.0, -100001.0)])
def float64_keeps_its_digits_too(solution, column, device):
    """A float64 column around 100000 is right to more than ten digits."""
    Z, _, std = solution.standardize(torch.tensor(column, dtype=torch.float64, device=device)[:, None])
    return {"Z": Z, "std": std}


def columns_of_one_value(case):
    value = case.tensor("1 columns", dtype="float64", layouts=False)
    return value.expand(case.size("rows"), -1).clone()


@check(points=1, X=built(columns_of_one_value, "rows columns"), eps=[1e-4, 1e-2], minimum=1, tolerance=(1e-6, 1e-6))
def constant_column_gives_zero(solution, X, eps):
    """A constant column becomes 0, and its std is the root of eps."""
    X.requires_grad_()
    Z, mean, std = solution.standardize(X, eps=eps)
    (gradient,) = gradients(Z.sum(), [X])
    finite = gradient is None or bool(torch.isfinite(gradient).all())
    return {"Z": Z, "std": std, "gradient finite": finite}


ONE_CONSTANT = [{"X": torch.tensor([[1.0, 2.0], [4.0, 2.0], [2.0, 2.0]], dtype=torch.float64)}]


@check(
    points=1, X=tensor("rows columns", distinct=True), minimum=2, dtypes=("float64",), tolerance=(1e-7, 1e-8), examples=ONE_CONSTANT,
)  # fmt: skip
def gradients_flow_through_all_three(solution, X, rng):
    """Gradients reach X through Z, through the mean and through the std."""
    X.requires_grad_()
    names = ("gradient through Z", "gradient through the mean", "gradient through the std")
    results = solution.standardize(X, 0.01)
    return {name: gradients(y, [X], upstream(y, rng), retain_graph=True)[0] for name, y in zip(names, results, strict=True)}
