"""Known mistakes and odd-but-correct solutions for row_means, column_maxima and row_shares."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "add_detach-L8-1": "no input requires grad: gradients come in chapter 03",
    "add_detach-L13-1": "no input requires grad: gradients come in chapter 03",
    "add_detach-L18-1": "no input requires grad: gradients come in chapter 03",
    "change_dim-L8-2": "axis 1 is the last one",
    "change_dim-L18-2": "axis 1 is the last one",
}

HINTS = (
    "Which axis disappears in each result, and which one stays?",
    "mean, amax and sum take dim, the axis that they remove. In a matrix dim 1 runs along a row. With "
    "keepdim=True the axis stays with size 1, and broadcasting lines the result up with the matrix.",
    "row_means removes dim 1, column_maxima removes dim 0 and needs the values alone. For row_shares, divide "
    "by a sum along dim 1 that kept its axis.",
)


@mistake("row_means")
def means_of_the_columns(X):
    """You returned the mean of each column: dim names the axis that disappears. Along a row that is dim 1."""
    return X.mean(dim=0)


@mistake("row_means")
def one_mean_for_all(X):
    """You returned one mean of all numbers: without dim every axis disappears."""
    return X.mean()


@mistake("row_means")
def keeps_the_axis(X):
    """Your means have the shape (rows, 1): keepdim=True keeps the axis, which should be removed here."""
    return X.mean(dim=1, keepdim=True)


@mistake("row_means")
def sums_for_means(X):
    """You returned sums: divide by the number of columns, as mean does."""
    return X.sum(dim=1)


@mistake("row_means")
def divides_by_the_rows(X):
    """You divided by the number of rows: each row has as many numbers as there are columns."""
    return X.sum(dim=1) / len(X)


@mistake("column_maxima")
def maxima_of_the_rows(X):
    """You returned the maximum of each row: along a column that is dim 0."""
    return X.amax(dim=1)


@mistake("column_maxima")
def values_and_positions(X):
    """X.max(dim) returns two tensors, values and positions: take .values, or use amax."""
    return tuple(X.max(dim=0))


@mistake("column_maxima")
def positions_for_values(X):
    """You returned where the maxima are: argmax gives positions, amax gives the values."""
    return X.argmax(dim=0)


@mistake("column_maxima")
def largest_absolute_value(X):
    """You took the largest absolute value: a negative number with a large absolute value is not a maximum."""
    return X.abs().amax(dim=0)


@mistake("row_shares")
def shares_of_the_columns(X):
    """Your columns sum to 1: divide by the sum of each row, along dim 1."""
    return X / X.sum(dim=0, keepdim=True)


@mistake("row_shares")
def shares_of_everything(X):
    """All your numbers together sum to 1: each row should sum to 1. Name the axis of the sum, and keep it."""
    return X / X.sum()


@mistake("row_shares")
def the_sums_act_as_a_row(X):
    """Your sums have lost their axis and act as a row, so column n was divided by the sum of row n. Keep the axis with
    keepdim=True."""
    return X / X.sum(dim=1)


@mistake("row_shares")
def divides_by_the_mean(X):
    """You divided by the mean of each row: divide by its sum."""
    return X / X.mean(dim=1, keepdim=True)


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


@alternative("column_maxima")
def the_values_of_max(X):
    """max gives values and positions; the first are wanted."""
    return X.max(0)[0]


@alternative("row_means")
def a_product_with_ones(X):
    """A matrix times a vector of ones adds up each row."""
    return X @ X.new_ones(X.shape[1]) / X.shape[1]


@alternative("row_shares")
def an_axis_by_unsqueeze(X):
    """The axis is put back by hand."""
    return X / X.sum(-1).unsqueeze(-1)
