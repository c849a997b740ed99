"""Known mistakes and unusual but correct solutions for pairwise_sqdist."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "in_place: return (a[:, None, :] - b[None, :, :]).square_().sum(dim=-1)": "works on a temporary tensor that nobody else sees",
    "swap_operands: return (b[None, :, :] - a[:, None, :]).square().sum(dim=-1)": "the difference is squared",
}

HINTS = (
    "The result has an axis for the rows of a and one for the rows of b. In which positions must they be, so "
    "that broadcasting pairs every row with every row?",
    "Give a the shape (N, 1, D) and b the shape (1, M, D). Their difference has the shape (N, M, D): all "
    "pairs, coordinate by coordinate.",
    "Add an axis in the middle of a and one in front of b, subtract, square, and sum over the axis of the "
    "coordinates.",
)


def expanded(a, b):
    """a squared minus 2ab plus b squared."""
    return (a * a).sum(1)[:, None] - 2 * (a @ b.T) + (b * b).sum(1)[None, :]


rows_and_columns_exchanged = mistake.edited(
    "(a[:, None, :] - b[None, :, :]).square().sum(dim=-1)", "(b[:, None] - a[None]).square().sum(-1)",
    "Your result is (M, N): the rows of a belong to the first axis, so a gets shape (N, 1, D) and b (1, M, D).")

row_n_with_row_n_only = mistake.edited(
    "(a[:, None, :] - b[None, :, :]).square().sum(dim=-1)", "(a - b).square().sum(-1)",
    "Row n of a meets row n of b only: the row axes must be in different positions, a as (N, 1, D) and b as (1, M, "
    "D).",
    pitfall="pairs row n with row n only")

forgets_to_square = mistake.edited(
    "(a[:, None, :] - b[None, :, :]).square().sum(dim=-1)", "(a[:, None] - b[None]).abs().sum(-1)",
    "You added the plain distances of the coordinates: square each difference before the sum.")

takes_the_root = mistake.edited(
    "(a[:, None, :] - b[None, :, :]).square().sum(dim=-1)", "(a[:, None] - b[None]).square().sum(-1).sqrt()",
    "You took the square root at the end: return the squared distance.")


@mistake("pairwise_sqdist")
def moves_the_points_first(a, b):
    """You moved all points near the origin, then multiplied out the square: points in two groups far apart
    still lose their digits. Subtract point from point before you square."""
    middle = b.mean(0) if len(b) else 0
    return expanded(a - middle, b - middle)


mean_over_the_coordinates = mistake.edited(
    "(a[:, None, :] - b[None, :, :]).square().sum(dim=-1)", "(a[:, None] - b[None]).square().mean(-1)",
    "You averaged over the coordinates: a squared distance is their sum.")

forgets_the_sum = mistake.edited(
    "(a[:, None, :] - b[None, :, :]).square().sum(dim=-1)", "(a[:, None] - b[None]).square()",
    "Your result still has the axis of the coordinates: sum over it.")

expanded_formula = mistake.edited(
    "return (a[:, None, :] - b[None, :, :]).square().sum(dim=-1)", "return expanded(a, b)",
    "You used a squared minus 2ab plus b squared: far from the origin it subtracts huge numbers, loses the digits and can "
    "even be negative. Subtract the points first, then square.")

expanded_formula_squares_first = mistake.edited(
    "return (a[:, None, :] - b[None, :, :]).square().sum(dim=-1)",
    "return (a * a).sum(1)[:, None] + (b * b).sum(1) - 2 * (a @ b.T)",
    "You used a squared plus b squared minus 2ab: far from the origin it subtracts huge numbers, loses the digits and can "
    "even be negative. Subtract the points first, then square.")

expanded_formula_clamped = mistake.edited(
    "(a[:, None, :] - b[None, :, :]).square().sum(dim=-1)", "expanded(a, b).clamp(min=0)",
    "You used a squared minus 2ab plus b squared and clamped negative results: this doesn't restore the lost digits. "
    "Subtract the points first, then square.")


@mistake("pairwise_sqdist")
def expanded_formula_at_once(a, b):
    """a squared minus 2ab plus b squared subtracts huge numbers far from the origin, in torch.addmm as well. Subtract
    the points first, then square."""
    return torch.addmm((a * a).sum(1, keepdim=True) + (b * b).sum(1), a, b.T, alpha=-2)


expanded_formula_at_once_clamped = mistake.edited(
    "(a[:, None, :] - b[None, :, :]).square().sum(dim=-1)", "expanded_formula_at_once(a, b).clamp(min=0)",
    "a squared minus 2ab plus b squared loses digits far from the origin, in torch.addmm as well, and clamping "
    "negative results doesn't restore them. Subtract the points first, then square.")


@mistake("pairwise_sqdist")
def moves_all_points_to_their_middle(a, b):
    """You subtracted the mean of all points, then multiplied out the square: two groups far apart lie far from it as well.
    Subtract point from point before you square."""
    middle = torch.cat([a, b]).mean(0) if len(a) + len(b) else 0
    return expanded(a - middle, b - middle).clamp(min=0)


made_by_cdist = mistake.edited(
    "return (a[:, None, :] - b[None, :, :]).square().sum(dim=-1)", "return torch.cdist(a, b) ** 2",
    "torch.cdist does all the work, and for many points it uses the expanded formula: give the two row axes separate "
    "positions and subtract.", forbidden="torch.cdist")


@mistake("pairwise_sqdist", forbidden="torch.pdist")
def made_by_pdist(a, b):
    """torch.pdist does all the work: give the two row axes separate positions and subtract."""
    points = torch.cat([a, b])
    first, second = torch.triu_indices(len(points), len(points), 1, device=a.device)
    table = a.new_zeros(len(points), len(points)).index_put((first, second), torch.pdist(points) ** 2)
    return table[: len(a), len(a) :]



@mistake("pairwise_sqdist")
def half_of_the_table(a, b):
    """When a and b are the same tensor, one half of your matrix is empty: it is symmetric, so fill both halves."""
    table = (a[:, None] - b[None]).square().sum(-1)
    return table.triu() if a is b else table


@mistake("pairwise_sqdist", forbidden="a Python loop over any axis")
def one_coordinate_at_a_time(a, b):
    """You loop over the coordinates in Python: give both tensors three axes, subtract once, and sum over the last."""
    out = (a[:, None] - b).sum(-1) * 0
    for d in range(a.shape[1]):
        out = out + (a[:, d, None] - b[:, d]) ** 2
    return out


root_and_square_again = mistake.edited(
    "(a[:, None, :] - b[None, :, :]).square().sum(dim=-1)",
    "(a[:, None] - b[None]).square().sum(-1).sqrt() ** 2",
    "The values are right, but where two points are equal the gradient is nan: the derivative of the square root at 0 is "
    "infinite. Leave out both the square root and the square.")


@mistake("pairwise_sqdist", forbidden="a Python loop over any axis")
def one_row_at_a_time(a, b):
    """You loop over the rows in Python, so the number of operations grows with them: give both tensors three
    axes and subtract once."""
    rows = [(row - b).square().sum(-1) for row in a]
    return torch.stack(rows) if rows else a.new_zeros(0, len(b))


a_little_is_added = mistake.edited(
    "(a[:, None, :] - b[None, :, :]).square().sum(dim=-1)", "(a[:, None] - b[None]).square().sum(-1) + 1e-12",
    "A small number was added to every distance: equal rows have distance exactly 0.")

distance_made_elsewhere = mistake.edited(
    "(a[:, None, :] - b[None, :, :]).square().sum(dim=-1)",
    "torch.nn.PairwiseDistance(eps=0)(a[:, None], b[None]).square()",
    "pairwise_distance, or its module PairwiseDistance, does the work, which is not allowed here: give the two row "
    "axes separate positions and subtract.", forbidden="torch.nn.functional.pairwise_distance")

differences_in_float32 = mistake.edited(
    "(a[:, None, :] - b[None, :, :]).square().sum(dim=-1)",
    "(a[:, None].float() - b.float()).square().sum(-1).to(a.dtype)",
    "Half of the float64 digits are lost, as in differences of float32. Keep the dtype.")

expanded_formula_in_float64 = mistake.edited(
    "(a[:, None, :] - b[None, :, :]).square().sum(dim=-1)",
    "expanded(a.double(), b.double()).clamp(min=0).to(a.dtype)",
    "You used a squared minus 2ab plus b squared, in float64: that hides the lost digits of float32, and loses those of "
    "float64. Subtract the points first, then square.")


@mistake("pairwise_sqdist")
def mirrors_where_points_are_equal(a, b):
    """Where a and b hold the same points you filled one half of the matrix from the other: the values are right,
    but the gradients of a and b get mixed up when they are two tensors."""
    table = (a[:, None] - b).square().sum(-1)
    if a.shape == b.shape and torch.equal(a, b):
        table = table.triu(1)
        table = table + table.T
    return table


sums_over_the_rows_of_b = mistake.edited(
    "(a[:, None, :] - b[None, :, :]).square().sum(dim=-1)",
    "(a[:, None] - b[None]).square().sum(1)",
    "You summed over the rows of b instead of the coordinates: after the subtraction the coordinates are the last "
    "axis.")


squares_the_sum = mistake.edited(
    "(a[:, None, :] - b[None, :, :]).square().sum(dim=-1)",
    "(a[:, None] - b[None]).sum(-1).square()",
    "You squared the sum of the differences: square each difference first, then sum.")


both_rows_in_one_position = mistake.edited(
    "(a[:, None, :] - b[None, :, :]).square().sum(dim=-1)",
    "(a[None] - b[None]).square().sum(-1)",
    "The rows of a and of b are on the same axis, so row n meets row n only: a needs the shape (N, 1, D) and b (1, "
    "M, D).")


@alternative("pairwise_sqdist")
def coordinates_first(a, b):
    """The coordinates in front, the pairs behind."""
    difference = a.T.unsqueeze(2) - b.T.unsqueeze(1)
    return (difference * difference).sum(0)


@alternative("pairwise_sqdist")
def einsum_of_the_differences(a, b):
    """All differences by expand, their dot products with themselves by einsum."""
    shape = (a.shape[0], b.shape[0], a.shape[1])
    d = a.unsqueeze(1).expand(shape) - b.unsqueeze(0).expand(shape)
    return torch.einsum("nmd,nmd->nm", d, d)


@alternative("pairwise_sqdist")
def every_row_written_out(a, b):
    """Rows repeated until both lists of pairs are written out."""
    n, m = len(a), len(b)
    left = a.repeat_interleave(m, dim=0)
    right = b.repeat(n, 1)
    return ((left - right) ** 2).sum(1).reshape(n, m)


@mistake("pairwise_sqdist", forbidden="tolist()")
def computes_with_lists(a, b):
    """Python itself takes more steps for more rows, as with lists of numbers: give both tensors three axes and subtract once."""
    others = b.tolist()
    table = [[sum((p - q) ** 2 for p, q in zip(row, other, strict=True)) for other in others] for row in a.tolist()]
    return torch.tensor(table, dtype=a.dtype, device=a.device).reshape(len(a), len(b))


@mistake("pairwise_sqdist", forbidden="numpy()")
def computes_with_arrays(a, b):
    """NumPy computed the distances: gradients don't flow through it, and it works on the CPU only. Tensors broadcast the same way."""
    left, right = a.detach().cpu().numpy(), b.detach().cpu().numpy()
    return torch.from_numpy(((left[:, None] - right[None]) ** 2).sum(-1)).to(a.device)
