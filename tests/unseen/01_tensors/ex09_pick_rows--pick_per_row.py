"""(a) pick_per_row uses squeeze() without an axis, so a single row gives shape () instead of (1,). (b) replace_below keeps where x >= t; nan compares false, so nan is replaced by v."""
import torch


def pick_per_row(x: torch.Tensor, idx: torch.Tensor) -> torch.Tensor:
    """Return one element of each row: x[n, idx[n]] for every n.

    Shapes:
        x       (N, C)
        idx     (N,), int64, every value from 0 to C - 1
        result  (N,), dtype of x

    Example:
        >>> x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        >>> pick_per_row(x, torch.tensor([2, 0]))
        tensor([3., 4.])

    Pitfall:
        x[:, idx] takes the columns idx from every row and gives an (N, N) matrix.

    For full marks:
        * N may be 0 or 1, x may have any dtype, and idx may be int32
        * elements that are not picked don't matter, even inf or nan
        * gradients flow to the picked elements
    """
    return torch.gather(x, 1, idx.long().unsqueeze(1)).squeeze()


def above(x: torch.Tensor, t: float) -> torch.Tensor:
    """Return the elements of x that are greater than t, row by row.

    Shapes:
        x       any shape, floating point
        result  (how many are greater,), dtype of x

    For full marks:
        * nan is left out; -inf and inf are compared like other numbers
    """
    return x[x > t]


def replace_below(x: torch.Tensor, t: float, v: float) -> torch.Tensor:
    """Return a copy of x in which every element less than t is v.

    Shapes:
        x       any shape, floating point
        result  shape and dtype of x

    Pitfall:
        x[x < t] = v writes into the caller's tensor.

    For full marks:
        * nan stays; x, t and v may be -inf or inf
        * gradients flow to the elements that stay
    """
    # np.where habit
    return torch.where(x >= t, x, torch.full_like(x, v))
