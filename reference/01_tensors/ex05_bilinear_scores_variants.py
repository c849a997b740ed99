"""Known mistakes and odd-but-correct solutions for bilinear and all_pairs."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "change_dim-L8-2": "axis 1 is the last one",
}

HINTS = (
    "Write the shapes under each other. Which axis disappears in each product, and which one stays?",
    "x @ A has shape (batch, J), the same as y: what is left is one dot product per row, that is a product "
    "element by element and a sum over one axis. For all_pairs, @ multiplies a batch of matrices at once, "
    "but D must meet D.",
    "bilinear: multiply x @ A with y element by element, then sum over the last axis only. all_pairs: swap "
    "the last two axes of y so that its shape is (batch, D, S), then use @.",
)


@mistake("bilinear")
def sums_over_the_batch(x, A, y):
    """All items were added into one number: sum over the last axis only, the batch axis stays."""
    return (x @ A * y).sum()


@mistake("bilinear")
def every_x_with_every_y(x, A, y):
    """You got a batch by batch table: every x met every y. Item b should meet only item b, which is the
    diagonal."""
    return x @ A @ y.T


@mistake("bilinear")
def the_transposed_matrix(x, A, y):
    """You multiplied with A transposed: x has the I axis, and it must meet the first axis of A."""
    return (x @ A.T * y).sum(dim=-1)


@mistake("bilinear")
def squeezes_the_batch_away(x, A, y):
    """With one item the batch axis is gone: squeeze() removes every axis of size 1. Name the axis that you
    mean."""
    return (x.unsqueeze(1) @ A @ y.unsqueeze(2)).squeeze()


@mistake("bilinear")
def forgets_the_sum(x, A, y):
    """The result still has the J axis: a dot product multiplies and then sums over it."""
    return x @ A * y


@mistake("bilinear")
def one_item_at_a_time(x, A, y):
    """You loop over the batch in Python, so the number of operations grows with it: one @ handles all
    items."""
    rows = [x[b] @ A @ y[b] for b in range(len(x))]
    return torch.stack(rows) if rows else x.new_zeros(0)


@mistake("all_pairs")
def forgets_to_transpose(x, y):
    """You wrote x @ y: rows of x must meet rows of y, so swap the last two axes of y before the product."""
    return x @ y


@mistake("all_pairs")
def reshapes_instead_of_transposing(x, y):
    """The shape is right but the numbers are not: reshape cuts the same sequence of numbers anew and swaps no
    axes. Use transpose."""
    batch, S, D = y.shape
    return x @ y.reshape(batch, D, S)


@mistake("all_pairs")
def pairs_are_turned_round(x, y):
    """Your table is (batch, S, T): rows of x come first, so x stands on the left of the product."""
    return y @ x.transpose(-2, -1)


@mistake("all_pairs")
def across_the_batch(x, y):
    """Every item met every other item of the batch: the batch axis is shared and should not be multiplied
    out."""
    return torch.tensordot(x, y, dims=([2], [2]))


@mistake("all_pairs")
def squeezes_axes_away(x, y):
    """Axes of size 1 are gone: squeeze() removes every one of them, and the result must keep all three
    axes."""
    return torch.bmm(x, y.transpose(1, 2)).squeeze()


@mistake("all_pairs")
def one_matrix_at_a_time(x, y):
    """You loop over the batch in Python, so the number of operations grows with it: @ multiplies all matrices
    at once."""
    tables = [a @ b.T for a, b in zip(x, y, strict=True)]
    return torch.stack(tables) if tables else x.new_zeros(0, x.shape[1], y.shape[1])


@mistake("bilinear")
def products_in_float32(x, A, y):
    """Half of the float64 digits are lost: the products were computed in float32. Leave the dtype as it is."""
    return ((x.float() @ A.float()) * y.float()).sum(1).to(x.dtype)


@mistake("all_pairs")
def pairs_in_float32(x, y):
    """Half of the float64 digits are lost: the pairs were computed in float32. Leave the dtype as it is."""
    return torch.bmm(x.float(), y.mT.float()).to(x.dtype)


@mistake("all_pairs")
def divides_by_the_root_of_d(x, y):
    """Your products are divided by the square root of D, as attention does it: plain dot products are asked for."""
    return x @ y.transpose(-2, -1) / max(x.shape[-1], 1) ** 0.5


@mistake("all_pairs")
def turns_all_axes_round(x, y):
    """y.T turns round all three axes, the batch too: say which two change places, y.transpose(-2, -1) or y.mT."""
    return x @ y.T


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


@alternative("bilinear")
def diagonal_of_the_table(x, A, y):
    """All pairs of items, of which the diagonal is kept."""
    return (x @ A @ y.T).diagonal()
