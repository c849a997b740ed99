"""Known mistakes and unusual but correct solutions for bilinear and all_pairs."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "change_dim: return (x @ A * y).sum(dim=1)": "axis 1 is the last one",
}

HINTS = (
    "Write the shapes under each other. Which axis disappears in each product, and which one stays?",
    "x @ A has shape (batch, J), the same as y: what is left is one dot product per row, that is, an elementwise product and a sum over one axis. For all_pairs, @ multiplies a batch of matrices at once, "
    "but D must meet D.",
    "bilinear: multiply x @ A with y element by element, then sum over the last axis only. all_pairs: swap "
    "the last two axes of y so that its shape is (batch, D, S), then use @.",
)


sums_over_the_batch = mistake.edited("return (x @ A * y).sum(dim=-1)", "return (x @ A * y).sum()",
    "All items were added into one number: sum over the last axis only, so that the batch axis stays.")

every_x_with_the_sum_of_y = mistake.edited("x @ A * y)", "x @ A * y.sum(dim=0))",
    "Each x met the sum of all y: item b of x belongs with item b of y. In einsum, give the batch axis of x and y the same letter.")

every_x_with_every_y = mistake.edited("return (x @ A * y).sum(dim=-1)", "return x @ A @ y.T",
    "You got a batch by batch table: every x was combined with every y. Item b belongs only with item b, which is the diagonal.")

the_transposed_matrix = mistake.edited("return (x @ A * y).sum(dim=-1)", "return (x @ A.T * y).sum(dim=-1)",
    "x met the second axis of A, as if A were transposed. x has the I axis, so it must meet the first axis of A, as in x @ A.")

squeezes_the_batch_away = mistake.edited(
    "return (x @ A * y).sum(dim=-1)", "return (x.unsqueeze(1) @ A @ y.unsqueeze(2)).squeeze()",
    "With one item the batch axis is gone: squeeze() removes every axis of size 1. Name the axis that you mean.")

forgets_the_sum = mistake.edited("return (x @ A * y).sum(dim=-1)", "return x @ A * y",
    "The result still has the J axis: a dot product multiplies and then sums over it.")


@mistake("bilinear", forbidden="a Python loop over an axis")
def one_item_at_a_time(x, A, y):
    """More operations run for larger sizes, as in a Python loop over the batch: one @ handles all items."""
    rows = [x[b] @ A @ y[b] for b in range(len(x))]
    return torch.stack(rows) if rows else x.new_zeros(0)


forgets_to_transpose = mistake.edited("return x @ y.transpose(-2, -1)", "return x @ y",
    "Rows of x must meet rows of y: swap the last two axes of y before the product.",
    pitfall="x @ y needs the D axis of y in the middle")

reshapes_instead_of_transposing = mistake.edited("y.transpose(-2, -1)", "y.reshape(y.shape[0], y.shape[2], y.shape[1])",
    "The numbers of y are in the wrong positions: reshape and view cut the same sequence of numbers differently and "
    "swap no axes. Use transpose.")

pairs_are_turned_round = mistake.edited("return x @ y.transpose(-2, -1)", "return y @ x.transpose(-2, -1)",
    "Your table is (batch, S, T): the rows of x belong to the second axis, and the rows of y to the last.")

across_the_batch = mistake.edited("return x @ y.transpose(-2, -1)", "return torch.tensordot(x, y, dims=([2], [2]))",
    "Every item met every other item of the batch: the batch axis is shared and should not be multiplied out.")

squeezes_axes_away = mistake.edited(
    "return x @ y.transpose(-2, -1)", "return torch.bmm(x, y.transpose(1, 2)).squeeze()",
    "Axes of size 1 are gone: squeeze() removes every one of them, and the result must keep all three axes.")


@mistake("all_pairs", forbidden="a Python loop over an axis")
def one_matrix_at_a_time(x, y):
    """More operations run for larger sizes, as in a Python loop over the batch: @ multiplies all matrices at once."""
    tables = [a @ b.T for a, b in zip(x, y, strict=True)]
    return torch.stack(tables) if tables else x.new_zeros(0, x.shape[1], y.shape[1])


products_in_float32 = mistake.edited(
    "(x @ A * y).sum(dim=-1)", "((x.float() @ A.float()) * y.float()).sum(1).to(x.dtype)",
    "Half of the float64 digits are lost, as in products of float32. Leave the dtype as it is.")

pairs_in_float32 = mistake.edited(
    "return x @ y.transpose(-2, -1)", "return torch.bmm(x.float(), y.mT.float()).to(x.dtype)",
    "Half of the float64 digits are lost, as in products of float32. Leave the dtype as it is.")

divides_by_the_root_of_d = mistake.edited(
    "x @ y.transpose(-2, -1)", "x @ y.transpose(-2, -1) / max(x.shape[-1], 1) ** 0.5",
    "Your products are divided by the square root of D, as in attention: the exercise asks for plain dot products.")

turns_all_axes_round = mistake.edited("return x @ y.transpose(-2, -1)", "return x @ y.T",
    "All three axes of y were reversed, including the batch, as in y.T: name the two to swap, with y.transpose(-2, -1) or y.mT.")


sums_over_the_first_axis = mistake.edited(
    "return (x @ A * y).sum(dim=-1)",
    "return (x @ A * y).sum(dim=0)",
    "You summed over the batch, so the J axis is left: sum over the last axis.")


a_product_with_all_of_y = mistake.edited(
    "return (x @ A * y).sum(dim=-1)",
    "return x @ A @ y",
    "All of y was used as one matrix, as in x @ A @ y: item b needs y[b] alone. Multiply element by element, then sum over the last axis.")


views_instead_of_transposing = mistake.edited(
    "y.transpose(-2, -1)",
    "y.view(y.shape[0], y.shape[2], y.shape[1])",
    "view cuts the same sequence of numbers differently and swaps no axes, and for some layouts of y it raises an "
    "error. Use transpose.")


row_t_with_row_t_only = mistake.edited(
    "return x @ y.transpose(-2, -1)",
    "return (x * y).sum(-1)",
    "Row t of x meets only row t of y, which works only if T equals S: every row of x needs every row of y. Multiply"
    " matrices, with the last two axes of y swapped.")


swaps_the_batch = mistake.edited(
    "y.transpose(-2, -1)",
    "y.transpose(0, 1)",
    "The batch axis of y was swapped: it must stay in front. Swap the last two axes of y.")


@alternative("all_pairs")
def from_distances(x, y):
    """Dot products from lengths and distances; for many rows cdist takes another way, with more operations."""
    lengths = (x * x).sum(-1).unsqueeze(2) + (y * y).sum(-1).unsqueeze(1)
    return (lengths - torch.cdist(x, y).square()) / 2


@alternative()
def einsum_for_both():
    """The index notation of the docstrings, word for word."""
    return {
        "bilinear": lambda x, A, y: torch.einsum("bi,ij,bj->b", x, A, y),
        "all_pairs": lambda x, y: torch.einsum("btd,bsd->bts", x, y),
    }


@alternative()
def bmm_and_broadcasting():
    """bmm of rows and columns; a product of four axes that is summed."""

    def bilinear(x, A, y):
        return torch.bmm((x @ A).unsqueeze(1), y.unsqueeze(2)).squeeze(2).squeeze(1)

    def all_pairs(x, y):
        return (x[:, :, None, :] * y[:, None, :, :]).sum(-1)

    return {"bilinear": bilinear, "all_pairs": all_pairs}


diagonal_of_the_table = alternative.edited("return (x @ A * y).sum(dim=-1)", "return (x @ A @ y.T).diagonal()",
    "All pairs of items, of which the diagonal is kept.")


@mistake("bilinear", forbidden="tolist()")
def computes_with_lists(x, A, y):
    """Python itself takes more steps for larger sizes, as with lists of numbers: one @ handles all items, and
    gradients flow through it."""
    rows, matrix, others = x.tolist(), A.tolist(), y.tolist()
    sums = [
        sum(a * matrix[i][j] * c for i, a in enumerate(row) for j, c in enumerate(other))
        for row, other in zip(rows, others, strict=True)
    ]
    return torch.tensor(sums, dtype=x.dtype, device=x.device)


@mistake("all_pairs", forbidden="numpy()")
def computes_with_arrays(x, y):
    """NumPy computed the products: gradients don't flow through it, and it works on the CPU only. @ does the same with tensors."""
    table = x.detach().cpu().numpy() @ y.detach().cpu().numpy().swapaxes(1, 2)
    return torch.from_numpy(table).to(x.device)
