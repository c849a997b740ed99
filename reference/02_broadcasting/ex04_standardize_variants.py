"""Known mistakes and unusual but correct solutions for standardize."""

from typing import NamedTuple

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "in_place: std = ((X - mean).square().mean(dim=0) + eps).sqrt_()": "works on a temporary tensor that nobody else sees",
    "in_place: std = ((X - mean).square_().mean(dim=0) + eps).sqrt()": "works on a temporary tensor that nobody else sees",
    "swap_operands: std = ((mean - X).square().mean(dim=0) + eps).sqrt()": "the difference is squared",
}

HINTS = (
    "Which axis disappears when every column gets one mean: the one of the rows, or the one of the columns?",
    "Averages along dim 0 have shape (columns,), and that lines up with the columns of X at the right. eps "
    "goes inside the square root, so that its argument is never 0.",
    "First the mean along dim 0. Then the average of the squared differences along dim 0, plus eps, and its "
    "square root. Divide the differences by that square root, and return all three.",
)


def parts(X, correction=0):
    """Mean and variance of each column."""
    return X.mean(0), X.var(0, correction=correction) if len(X) > correction else X.var(0, correction=0)


divides_by_rows_minus_one = mistake.edited("mean = X.mean(dim=0)", "mean, var = parts(X, correction=1)",
    "Your variance is divided by rows - 1, as torch.var and torch.std do by default: pass correction=0 (or take the "
    "mean of the squares).",
    also=[("std = ((X - mean).square().mean(dim=0) + eps).sqrt()", "std = (var + eps).sqrt()")],
    pitfall="divide by rows - 1")

default_of_var = mistake.edited("mean = X.mean(dim=0)", "mean, var = X.mean(0), X.var(0)",
    "Your variance is divided by rows - 1 (by 0 for one row, which gives nan), as var and std do by default: pass "
    "correction=0.",
    also=[("std = ((X - mean).square().mean(dim=0) + eps).sqrt()", "std = (var + eps).sqrt()")],
    about=("std_is_that_of_each_column", "constant_column_gives_zero"),
    pitfall="divide by rows - 1")

eps_added_to_std = mistake.edited(
    "std = ((X - mean).square().mean(dim=0) + eps).sqrt()", "std = X.std(dim=0, correction=0) + eps",
    "You added eps to the std: it belongs inside the square root, sqrt(var + eps).")

another_default = mistake.edited("eps: float = 1e-6", "eps: float = 1e-5",
    "Your default for eps is not 1e-6: don't change the default in the first line of the function.")

table_at_the_end = mistake.edited("return (X - mean) / std, mean, std", "return mean, std, (X - mean) / std",
    "The three results are right, but in the wrong order: Z first, then mean, then std.",
    about=("mean_is_that_of_each_column", "std_is_that_of_each_column", "columns_are_standardized"))

std_before_mean = mistake.edited("return (X - mean) / std, mean, std", "return (X - mean) / std, std, mean",
    "The mean and the std are swapped: Z first, then mean, then std.",
    about=("mean_is_that_of_each_column", "std_is_that_of_each_column"))

results_in_a_dict = mistake.edited(
    "return (X - mean) / std, mean, std", 'return {"Z": (X - mean) / std, "mean": mean, "std": std}',
    "You returned a dict: return the three tensors as a tuple, Z, mean, std, without names.",
    about=("mean_is_that_of_each_column", "std_is_that_of_each_column", "columns_are_standardized"))

table_alone = mistake.edited("return (X - mean) / std, mean, std", "return (X - mean) / std",
    "You returned only Z: return three tensors, Z, mean, std.",
    about=("mean_is_that_of_each_column", "std_is_that_of_each_column", "columns_are_standardized"))

divides_by_the_variance = mistake.edited(".sqrt()", "",
    "You divided by the variance: the standard deviation is its square root.")

eps_after_the_root = mistake.edited("mean = X.mean(dim=0)", "mean, var = parts(X)",
    "You added eps after the square root: it belongs inside, where it also keeps the gradient of a constant column finite.",
    also=[("std = ((X - mean).square().mean(dim=0) + eps).sqrt()", "std = var.sqrt() + eps")])

one_mean_for_all = mistake.edited("X.mean(dim=0)", "X.mean().expand(X.shape[1])",
    "You used one mean and one standard deviation for the whole matrix: each column has its own, so average along dim 0.",
    also=[("std = ((X - mean).square().mean(dim=0) + eps).sqrt()",
         "std = (X.var(correction=0) + eps).sqrt().expand(X.shape[1])")])


@mistake("standardize")
def rows_instead_of_columns(X, eps=1e-6):
    """You standardized the rows: averages along dim 1 give one number per row. Columns need dim 0."""
    mean = X.mean(1, keepdim=True)
    std = (X.var(1, correction=0, keepdim=True) + eps).sqrt()
    return (X - mean) / std, mean.squeeze(1), std.squeeze(1)


results_keep_an_axis = mistake.edited(
    "return (X - mean) / std, mean, std", "return (X - mean) / std, mean.unsqueeze(0), std.unsqueeze(0)",
    "Your mean and std have shape (1, columns): return them with shape (columns,), which broadcasts over the rows as well.",
    about=("mean_is_that_of_each_column", "std_is_that_of_each_column"))

eps_is_forgotten = mistake.edited("(X - mean).square().mean(dim=0) + eps", "(X - mean).square().mean(dim=0)",
    "A constant column gives nan: its variance is 0 and you divide by it. Add eps inside the square root.",
    about=("constant_column_gives_zero", "constant_column_has_a_finite_gradient"))

std_without_eps_returned = mistake.edited(
    "return (X - mean) / std, mean, std",
    "return (X - mean) / std, mean, (X - mean).square().mean(dim=0).sqrt()",
    "The std that you return is not what you divided by: return sqrt(var + eps).")

mean_of_squares_minus_square_of_mean = mistake.edited("mean = X.mean(dim=0)", "mean = X.mean(0)",
    "Columns far from 0 lose their digits: the mean of the squares minus the square of the mean subtracts two huge "
    "numbers. Subtract the mean first, then square.",
    also=[("(X - mean).square().mean(dim=0) + eps", "((X * X).mean(0) - mean * mean).clamp(min=0).add(eps)")])

writes_into_X = mistake.edited(  # noqa: N816
    "return (X - mean) / std, mean, std",
    """
    with torch.no_grad():
        X -= mean
        X /= std
    return X, mean, std
    """,
    "You changed the caller's X: -= and /= write in place. Compute new tensors.",
    also=[("std = ((X - mean).square().mean(dim=0) + eps).sqrt()", "std = (X.var(0, correction=0) + eps).sqrt()")])


class Standardized(NamedTuple):
    """The three results by name."""

    Z: torch.Tensor
    mean: torch.Tensor
    std: torch.Tensor


another_name_for_eps = mistake.edited("eps: float", "epsilon: float",
    "The second argument must be called eps, because callers may pass it by name: don't change the first line of the "
    "function.",
    also=[("+ eps)", "+ epsilon)")])


eps_added_in_the_division = mistake.edited(
    "std = ((X - mean).square().mean(dim=0) + eps).sqrt()",
    "std = ((X - mean).square().mean(dim=0)).sqrt()",
    "std is not what Z was divided by: add eps to the variance, under the root, and use that std for both.",
    also=[("return (X - mean) / std, mean, std", "return (X - mean) / (std + eps), mean, std")])


averages_along_dim_1 = mistake.edited(
    "mean = X.mean(dim=0)",
    "mean = X.mean(dim=1)",
    "Averages along dim 1 give one number for each row: columns need dim 0, the axis that disappears.",
    also=[("(X - mean).square().mean(dim=0) + eps", "X.var(dim=1, correction=0) + eps")],
    about=("mean_is_that_of_each_column", "std_is_that_of_each_column", "columns_are_standardized"))


ones_for_zeros = mistake.edited(
    "std = ((X - mean).square().mean(dim=0) + eps).sqrt()",
    "std = X.std(dim=0, correction=0)",
    "eps is not added to the variance: std is sqrt(var + eps), which also keeps a constant column from being divided by 0.",
    also=[("return (X - mean) / std, mean, std", "std = torch.where(std == 0, torch.ones_like(std), std)\nreturn (X - mean) / std, mean, std")])


divides_by_the_columns = mistake.edited(
    "(X - mean).square().mean(dim=0) + eps",
    "(X - mean).square().sum(dim=0) / X.shape[1] + eps",
    "The sum of the squares is divided by the number of columns: a column has as many numbers as there are rows.")


statistics_as_constants = mistake.edited(
    "return (X - mean) / std, mean, std", "mean, std = mean.detach(), std.detach()\nreturn (X - mean) / std, mean, std",
    "mean and std have no graph, as under torch.no_grad() or after detach(), and Z treats them as constants: gradients flow to X "
    "through all three.")


@alternative("standardize")
def results_with_names(X, eps=1e-6):
    """A tuple whose entries have names."""
    var, mean = torch.var_mean(X, dim=0, correction=0)
    std = (var + eps).sqrt()
    return Standardized((X - mean) / std, mean, std)


@alternative("standardize")
def var_mean_at_once(X, eps=1e-6):
    """torch.var_mean gives both, with correction=0."""
    var, mean = torch.var_mean(X, dim=0, correction=0)
    std = torch.sqrt(var + eps)
    return X.sub(mean).div(std), mean, std


@alternative("standardize")
def matrix_products(X, eps=1e-6):
    """Averages as products with a row of 1 / rows."""
    weights = torch.full((len(X),), 1 / len(X), dtype=X.dtype, device=X.device)
    mean = weights @ X
    difference = X - mean[None, :]
    std = (weights @ difference**2 + eps) ** 0.5
    return difference / std[None, :], mean, std


@alternative("standardize")
def column_by_column(X, eps=1e-6):
    """A loop over the columns, put together at the end."""
    columns, means, stds = [], [], []
    for column in X.unbind(1):
        mean = column.sum() / len(column)
        std = (((column - mean) ** 2).sum() / len(column) + eps).sqrt()
        columns.append((column - mean) / std)
        means.append(mean)
        stds.append(std)
    return torch.stack(columns, 1), torch.stack(means), torch.stack(stds)
