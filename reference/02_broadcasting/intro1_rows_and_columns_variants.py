"""Known mistakes and unusual but correct solutions for add_to_each_row, scale_each_row and difference_table."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "add_detach: return (X + row).detach()": "no input requires grad: gradients come in chapter 03",
    "add_detach: return (X * weights[:, None]).detach()": "no input requires grad: gradients come in chapter 03",
    "add_detach: return (a[:, None] - b).detach()": "no input requires grad: gradients come in chapter 03",
}

HINTS = (
    "Write the two shapes under each other, aligned at the right. Which axis is missing, and where?",
    "A vector of size columns acts as a row, and PyTorch repeats it for all rows. A vector of size rows must "
    "become a column first: indexing with None, or unsqueeze, adds an axis of size 1.",
    "The first function is a plain sum. In the second the weights need the shape (rows, 1). In the third a "
    "needs the shape (n, 1), and b needs no change.",
)


changes_x_itself = mistake.edited("return X + row", "X += row\nreturn X",
    "You wrote into the caller's X: += changes the tensor itself. A plain + makes a new one.")

subtracts_the_row = mistake.edited("return X + row", "return X - row",
    "You subtracted the row: add it.")

adds_the_sum_of_the_row = mistake.edited("return X + row", "return X + row.sum()",
    "You added the sum of the row everywhere: each column gets its own number.")

adds_to_the_first_row_only = mistake.edited("return X + row", "result = X.clone()\nresult[0] += row\nreturn result",
    "You added the row to the first row alone: without an index, broadcasting adds it to all of them.")

weights_stay_a_row = mistake.edited("return X * weights[:, None]", "return X * weights",
    "You used the weights as a row, one for each column, but there is one for each row. Give them the shape (rows, 1).",
    pitfall="A vector acts as a row")

scales_in_the_wrong_order = mistake.edited("return X * weights[:, None]", "return X * weights.flip(0)[:, None]",
    "The weights were used from the last row to the first: row n is multiplied by weights[n].")

adds_the_weights = mistake.edited("return X * weights[:, None]", "return X + weights[:, None]",
    "You added the weights: multiply by them.")

mixes_the_rows = mistake.edited("return X * weights[:, None]", "return weights @ X",
    "Your result is one row, the weighted sum of all rows, as weights @ X gives it: multiply each row by its own "
    "weight, and keep the rows apart.")

the_table_is_transposed = mistake.edited("return a[:, None] - b", "return a - b[:, None]",
    "Your result is (m, n), with the numbers of a along the columns: row i belongs to a[i]. For broadcasting, make a "
    "the column, and b the row.")

the_sign_is_reversed = mistake.edited("return a[:, None] - b", "return b - a[:, None]",
    "You computed b[j] - a[i]: the sign is reversed.")

meets_only_its_partner = mistake.edited("return a[:, None] - b", "n = min(len(a), len(b))\nreturn a[:n] - b[:n]",
    "You subtracted number n of b from number n of a: combine every number of a with every number of b. Make a a column.")

distances_without_a_sign = mistake.edited("return a[:, None] - b", "return (a[:, None] - b).abs()",
    "Your differences have no sign: a[i] - b[j] may be negative.")


the_row_stands_upright = mistake.edited(
    "return X + row",
    "return X + row[:, None]",
    "The row acts as a column here, with one number for each row of X. Leave its shape as it is: a vector already "
    "acts as a row.")


stays_transposed = mistake.edited(
    "return X * weights[:, None]",
    "return X.T * weights",
    "Your result is (columns, rows): transpose it back, or make the weights a column and leave X as it is.")


number_n_with_number_n = mistake.edited(
    "return a[:, None] - b",
    "return a - b",
    "Number n of b is subtracted from number n of a, which needs equal lengths: combine every number of a with every"
    " number of b. Make a a column.")


@alternative()
def with_loops():
    """Row by row, number by number."""

    def add_to_each_row(X, row):
        return torch.stack([x + row for x in X])

    def scale_each_row(X, weights):
        return torch.stack([x * w for x, w in zip(X, weights, strict=True)])

    def difference_table(a, b):
        return torch.stack([number - b for number in a])

    return {"add_to_each_row": add_to_each_row, "scale_each_row": scale_each_row, "difference_table": difference_table}


transposed_twice = alternative.edited("return X * weights[:, None]", "return (X.T * weights).T",
    "Along the columns of the transpose the weights are a row.")

with_unsqueeze = alternative.edited("return a[:, None] - b", "return a.unsqueeze(1).sub(b.unsqueeze(0))",
    "Both axes written out.")

expanded_by_hand = alternative.edited("return X + row", "return row.expand(X.shape[0], -1) + X",
    "The row is expanded before it is added.")
