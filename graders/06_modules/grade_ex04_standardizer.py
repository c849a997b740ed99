"""Hidden checks for Standardizer."""

import torch
from torch import nn

from torchdojo.grading import check, default_dtype, gradients, raises, size, tensor, upstream

CONCEPTS = ("I04",)

KEPT = {
    "fits_and_standardizes": "the definition itself, worth points of its own",
    "changes_nothing_before_fit": "the start, said by itself",
    "only_the_last_fit_counts": "what stays and what changes, said by itself",
}


class oracle:
    """The definition, with the buffers under their names."""

    class Standardizer(nn.Module):
        def __init__(self, n_features):
            super().__init__()
            self.register_buffer("mean", torch.zeros(n_features))
            self.register_buffer("std", torch.ones(n_features))

        def fit(self, X):
            if len(X) == 0:
                raise ValueError("no rows")
            X = X.detach()
            mean = X.mean(0)
            std = ((X - mean) ** 2).mean(0).sqrt()
            self.mean, self.std = mean, torch.where(std == 0, torch.ones_like(std), std)
            return self

        def forward(self, x):
            return (x - self.mean) / self.std


def made(solution, n, device, dtype):
    return solution.Standardizer(n).to(device=device, dtype=dtype)


def buffers(module):
    return {"mean": module.mean.clone(), "std": module.std.clone()}


@check(
    points=2, X=tensor("rows n", distinct=True, layouts=False), x=tensor("... n"), n=size("n"), minimum={"rows": 2, "n": 1},
    tolerance=(1e-5, 1e-6),
)  # fmt: skip
def fits_and_standardizes(solution, X, x, n, device):
    """fit computes the mean and std of each feature, and forward uses them."""
    X = torch.cat([X[:1] + 12, X[1:]])  # no std is small: digits behind the seventh are tested by another check
    module = made(solution, n, device, X.dtype)
    same = module.fit(X) is module
    return {**buffers(module), "result": module(x), "fit returns the module": same}


@check(points=1, X=tensor("rows n", distinct=True, layouts=False), n=size("n"), minimum={"rows": 2, "n": 1}, dtypes=("float64",))
def float64_keeps_its_digits(solution, X, n, device):
    """In float64 mean, std and result are right to more than seven digits."""
    X = X / 3
    module = made(solution, n, device, X.dtype)
    module.fit(X)
    return {**buffers(module), "result": module(X)}


@check(points=1, x=tensor("... n"), n=size("n"), minimum={"n": 1}, examples=[{"x": torch.tensor([3.0, torch.nan, torch.inf]), "n": 3}])
def changes_nothing_before_fit(solution, x, n, device):
    """Before fit mean is 0 and std is 1."""
    module = made(solution, n, device, x.dtype)
    return {**buffers(module), "result": module(x)}


@check(points=1, star=True, rows=[1, 3], values=[(2.0, -7.0, 0.0, 32768.0)])
def constant_features_and_one_row(solution, rows, values, device):
    """Only a std of exactly 0, or a single row, gets std 1."""
    X = torch.tensor(values, dtype=torch.float32, device=device).repeat(rows, 1)
    X[0, 1] += 4
    X[0, 2] += 2**-50  # its square is still a number of float32
    X[0, 3] += 3  # the mean of three such rows is a whole number; the squares are too large for float32
    module = made(solution, 4, device, torch.float32)
    module.fit(X)
    seen = {**buffers(module), "result": module(X)}
    X.zero_()
    return seen | {"when X changes later": buffers(module)}


@check(points=1, star=True, n=[2, 1])
def no_rows_are_refused(solution, n, device):
    """Data without rows raises ValueError and does not change mean and std."""
    rows = torch.arange(3 * n, dtype=torch.float32, device=device).reshape(3, n)
    module = made(solution, n, device, torch.float32)
    module.fit(rows)
    before = module.std.clone()
    return {"raised": raises(lambda: module.fit(rows[:0])), "mean": module.mean.clone(), "std as before": torch.equal(module.std, before)}


@check(points=2, n=[3, 1], devices=False)
def mean_and_std_are_buffers(solution, n):
    """mean and std are saved, moved and restored, but are not parameters."""
    module = solution.Standardizer(n)
    module.fit(torch.arange(4.0 * n).reshape(4, n) ** 2)
    other, later = solution.Standardizer(n), solution.Standardizer(n)
    other.load_state_dict(module.state_dict())
    later.fit(torch.arange(2.0 * n).reshape(2, n))
    later.double().load_state_dict({"mean": torch.ones(n), "std": torch.full((n,), 4.0)})
    far = solution.Standardizer(n).to("meta")
    return {
        "state": sorted(module.state_dict()), "parameters": len(list(module.parameters())), "mean restored": other.mean.clone(),
        "std restored": torch.equal(other.std, module.std), "result after fit, double and restoring": later(torch.full((2, n), 3.0).double()),
        "moved": [far.mean.device.type, far.std.device.type], "in float64": [later.mean.dtype, later.std.dtype],
    }  # fmt: skip


@check(points=0.5, star=True, x=tensor("n", dtype="float64"), n=size("n"), minimum=1, default=[torch.float64, torch.float32], devices=False)
def buffers_have_the_default_dtype(solution, x, n, default):
    """mean and std have torch's default dtype at construction."""
    with default_dtype(default):
        module = solution.Standardizer(n)
    return {**buffers(module), "result": module(x.to(default))}


@check(points=1, star=True, X=tensor("rows n"), n=size("n"), minimum=2, tolerance=(1e-5, 1e-6))
def fit_leaves_no_graph(solution, X, n, device):
    """Fitting data that requires grad leaves plain numbers; under no_grad the result is the same."""
    X.requires_grad_()
    module, other = (made(solution, n, device, X.dtype) for _ in range(2))
    module.fit(X)
    with torch.no_grad():
        other.fit(X)
    require = [module.mean.requires_grad, module.std.requires_grad]
    same = torch.equal(other.mean, module.mean) and torch.equal(other.std, module.std)
    return {"mean": module.mean.detach().clone(), "require grad": require, "X requires grad": X.requires_grad, "the same under no_grad": same}


@check(points=1, X=tensor("rows n"), Y=tensor("more n"), n=size("n"), minimum=2, tolerance=(1e-5, 1e-6))
def only_the_last_fit_counts(solution, X, Y, n, device):
    """fit may be called again, and forward never changes the buffers."""
    module, fresh = (made(solution, n, device, X.dtype) for _ in range(2))
    module.fit(X)
    before, std = module.mean.clone(), module.std.clone()
    module.train()(Y)
    module.eval()(Y)
    same = [torch.equal(module.mean, before), torch.equal(module.std, std)]
    module.fit(Y)
    fresh.fit(Y)
    seen = {"mean after forward": before, "mean and std as before forward": same, "mean after the second fit": module.mean.clone()}
    return seen | {"std as with one fit": torch.equal(module.std, fresh.std)}


@check(points=0.5, x=tensor("batch n"), n=size("n"), train=[True, False], minimum=2)
def gradient_flows_to_x(solution, x, n, train, rng, device):
    """The gradient reaches x through forward."""
    x.requires_grad_()
    module = made(solution, n, device, x.dtype)
    module.load_state_dict({"mean": torch.arange(1.0, n + 1), "std": torch.full((n,), 4.0)})
    y = module.train(train)(x)
    return {"result": y.detach(), "gradient of x": gradients(y, [x], upstream(y, rng))[0]}
