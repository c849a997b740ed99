"""Hidden checks for column_grid."""

import torch

from torchdojo.grading import check, default_dtype

CONCEPTS = ("B03", "B04", "B05", "F03")

KEPT = {
    "one_number_or_none": "the smallest columns, said by themselves",
    "dtype_is_the_one_asked_for": "the dtype, said by itself",
    "they_stand_in_a_column": "the shape, worth points of its own",
    "numbers_are_evenly_spaced": "the numbers, worth points without their shape",
    "the_grid_is_made_on_the_device": "where there is no second device, only this check sees a stray tensor",
    "default_device_is_respected": "a default of PyTorch, said by itself",
}


class oracle:
    """torch.linspace, stood upright."""

    def column_grid(lo, hi, n, *, dtype=None, device=None):
        return torch.linspace(lo, hi, n, dtype=dtype, device=device).unsqueeze(-1)


def first_number(grid):
    """lo alone: the shape and the steps have checks of their own."""
    return {"first number": grid.reshape(-1)[:1]}


@check(points=2, ends=[(0, 1), (-2.0, 2.0), (5, -3), (1.5, 1.5), (-1, 7)], n=[5, 2, 3, 8, 101], devices=False)
def numbers_are_evenly_spaced(solution, ends, n):
    """n evenly spaced numbers go from lo to hi, both included."""
    return {"numbers": solution.column_grid(*ends, n).reshape(-1)}


@check(points=2, ends=[(0, 1), (5, -3)], n=[5, 3, 8], devices=False)
def they_stand_in_a_column(solution, ends, n):
    """The numbers are the rows of a tensor of shape (n, 1)."""
    return solution.column_grid(*ends, n)


@check(points=1, star=True, n=[1, 0], ends=[(2, 5), (4.0, 1.0)], devices=False)
def one_number_or_none(solution, n, ends):
    """n = 1 gives only lo, and n = 0 gives an empty column."""
    return solution.column_grid(*ends, n)


@check(points=1, dtype=[torch.float64, torch.float16, torch.float32, torch.bfloat16], n=[5, 3])
def dtype_is_the_one_asked_for(solution, dtype, n, device):
    """The numbers have the given dtype."""
    # in few digits, numbers that each right formula has exactly
    lo, hi = (-1.1, 0.7) if dtype in (torch.float64, torch.float32) else (-4, 4)
    return first_number(solution.column_grid(lo, hi, n, dtype=dtype, device=device))


@check(points=1, star=True, given=[{"dtype": None}, {}], devices=False)
def default_dtype_is_respected(solution, given):
    """Without a dtype the caller's default dtype is used."""
    with default_dtype(torch.float64):
        return first_number(solution.column_grid(-3, 6, 4, **given))


@check(points=1, n=[6, 3], devices=False, about_device=True, beside=True)
def the_grid_is_made_on_the_device(solution, n):
    """The whole grid is on the requested device."""
    found = solution.column_grid(0.0, 1.0, n, device="meta")
    return first_number(solution.column_grid(-n, 1.0, n)), {"device": found.device, "dtype": found.dtype}


@check(points=1, star=True, n=[6, 3], devices=False, about_device=True, beside=True)
def default_device_is_respected(solution, n):
    """Without a device the whole grid is on PyTorch's default device."""
    with torch.device("meta"):
        found = solution.column_grid(0.0, 1.0, n)
    return first_number(solution.column_grid(-n, 1.0, n)), {"device": found.device, "dtype": found.dtype}
