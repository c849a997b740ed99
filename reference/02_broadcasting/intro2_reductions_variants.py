"""Known mistakes and unusual but correct solutions for row_means, column_maxima and row_shares."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "add_detach: return X.mean(dim=1).detach()": "no input requires grad: gradients come in chapter 03",
    "add_detach: return X.amax(dim=0).detach()": "no input requires grad: gradients come in chapter 03",
    "add_detach: return (X / X.sum(dim=1, keepdim=True)).detach()": "no input requires grad: gradients come in chapter 03",
    "change_dim: return X.mean(dim=-1)": "axis 1 is the last one",
    "change_dim: return X / X.sum(dim=-1, keepdim=True)": "axis 1 is the last one",
}

HINTS = (
    "Which axis disappears in each result, and which one stays?",
    "mean, amax and sum take dim, the axis that they remove. In a matrix dim 1 runs along a row. With "
    "keepdim=True the axis stays with size 1, and broadcasting lines the result up with the matrix.",
    "row_means removes dim 1, column_maxima removes dim 0 and needs the values alone. For row_shares, divide "
    "by a sum along dim 1 that kept its axis.",
)


means_of_the_columns = mistake.edited("return X.mean(dim=1)", "return X.mean(dim=0)",
    "You returned the mean of each column: dim names the axis that disappears. Along a row that is dim 1.",
    pitfall="dim names the axis that disappears")

one_mean_for_all = mistake.edited("return X.mean(dim=1)", "return X.mean()",
    "You returned one mean of all numbers: without dim every axis disappears.")

keeps_the_axis = mistake.edited("return X.mean(dim=1)", "return X.mean(dim=1, keepdim=True)",
    "Your means have the shape (rows, 1): keepdim=True keeps the axis, which should be removed here.")

sums_for_means = mistake.edited("return X.mean(dim=1)", "return X.sum(dim=1)",
    "You returned sums: divide by the number of columns, as mean does.")

divides_by_the_rows = mistake.edited("return X.mean(dim=1)", "return X.sum(dim=1) / len(X)",
    "You divided by the number of rows: each row has as many numbers as there are columns.")

maxima_of_the_rows = mistake.edited("return X.amax(dim=0)", "return X.amax(dim=1)",
    "You returned the maximum of each row: along a column that is dim 0.")

values_and_positions = mistake.edited("return X.amax(dim=0)", "return tuple(X.max(dim=0))",
    "X.max(dim) returns two tensors, values and positions: take .values, or use amax.")

positions_for_values = mistake.edited("return X.amax(dim=0)", "return X.argmax(dim=0)",
    "You returned where the maxima are: argmax gives positions, amax gives the values.")

largest_absolute_value = mistake.edited("return X.amax(dim=0)", "return X.abs().amax(dim=0)",
    "You took the largest absolute value: a negative number with a large absolute value is not a maximum.")

shares_of_the_columns = mistake.edited("return X / X.sum(dim=1, keepdim=True)", "return X / X.sum(dim=0, keepdim=True)",
    "Your columns sum to 1: divide by the sum of each row, along dim 1.")

shares_of_everything = mistake.edited("return X / X.sum(dim=1, keepdim=True)", "return X / X.sum()",
    "All your numbers together sum to 1: each row should sum to 1. Name the axis of the sum, and keep it.")

the_sums_act_as_a_row = mistake.edited("return X / X.sum(dim=1, keepdim=True)", "return X / X.sum(dim=1)",
    "Your sums have lost their axis, so they line up with the columns instead of the rows. Keep the axis with "
    "keepdim=True.",
    pitfall="The sum along an axis has lost that axis")

divides_by_the_mean = mistake.edited("return X / X.sum(dim=1, keepdim=True)", "return X / X.mean(dim=1, keepdim=True)",
    "You divided by the mean of each row: divide by its sum.")


the_pair_of_max = mistake.edited(
    "return X.amax(dim=0)",
    "return X.max(dim=0)",
    "X.max(dim) returns two tensors, values and positions: take .values, or use amax.",
    pitfall="X.max(dim) returns two tensors")


one_maximum_for_all = mistake.edited(
    "return X.amax(dim=0)",
    "return X.max()",
    "You returned the largest number of the whole matrix: name the axis that disappears. Along a column that is dim "
    "0.")


clamps_the_sums = mistake.edited(
    "X.sum(dim=1, keepdim=True)",
    "X.sum(dim=1, keepdim=True).clamp(min=1e-8)",
    "Rows with a negative sum are wrong, as when the sum is clamped to a small positive number: no row sums to 0, so divide by the sum itself.")

softmax_of_the_rows = mistake.edited(
    "return X / X.sum(dim=1, keepdim=True)",
    "return torch.softmax(X, dim=1)",
    "Your shares are those of exp(X), as in a softmax: divide the numbers themselves by the sum of their row.")


@alternative()
def with_loops():
    """Row by row, column by column."""

    def row_means(X):
        return torch.stack([row.sum() / len(row) for row in X])

    def column_maxima(X):
        return torch.stack([column.max() for column in X.unbind(1)])

    def row_shares(X):
        return torch.stack([row / row.sum() for row in X])

    return {"row_means": row_means, "column_maxima": column_maxima, "row_shares": row_shares}


the_values_of_max = alternative.edited("return X.amax(dim=0)", "return X.max(0)[0]",
    "max gives values and positions; the first are wanted.")

a_product_with_ones = alternative.edited("return X.mean(dim=1)", "return X @ X.new_ones(X.shape[1]) / X.shape[1]",
    "A matrix times a vector of ones adds up each row.")

an_axis_by_unsqueeze = alternative.edited("return X / X.sum(dim=1, keepdim=True)", "return X / X.sum(-1).unsqueeze(-1)",
    "The axis is put back by hand.")
