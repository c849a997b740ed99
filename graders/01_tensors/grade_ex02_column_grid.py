"""Hidden checks for column_grid."""

import torch

from torchdojo.grading import check, default_dtype

CONCEPTS = ("B03", "B04", "B05", "F03")

KEPT = {
    "one_number_or_none": "the smallest columns, said by themselves",
    "dtype_is_the_one_asked_for": "dtype and device, said by themselves",
    "nothing_stays_on_another_device": "where there is no second device, only this check sees a stray tensor",
    "both_ends_are_in_the_column": "the grid itself, worth points of its own",
}


class oracle:
    """torch.linspace, stood upright."""

    def column_grid(lo, hi, n, *, dtype=None, device=None):
        return torch.linspace(lo, hi, n, dtype=dtype, device=device).unsqueeze(-1)


@check(points=2, ends=[(0, 1), (-2.0, 2.0), (5, -3), (1.5, 1.5), (-1, 7)], n=[5, 2, 3, 8, 101], devices=False)
def both_ends_are_in_the_column(solution, ends, n):
    """n evenly spaced numbers from lo to hi stand in a column."""
    grid, another = solution.column_grid(*ends, n), solution.column_grid(*ends, n)
    if isinstance(another, torch.Tensor):
        with torch.inference_mode():
            another[:1] = -9.0  # it has memory of its own
    return grid


@check(points=1, n=[1, 0], ends=[(2, 5), (4.0, 1.0)], devices=False)
def one_number_or_none(solution, n, ends):
    """n = 1 gives lo alone, n = 0 an empty column."""
    return solution.column_grid(*ends, n)


@check(points=1, dtype=[torch.float64, torch.float16, torch.float32, torch.bfloat16], n=[5, 1, 0])
def dtype_is_the_one_asked_for(solution, dtype, n, device):
    """The grid is made in the dtype and on the device that were given."""
    # in few digits, numbers that each right formula has exactly
    lo, hi = (-1.1, 0.7) if dtype in (torch.float64, torch.float32) else (-4, 4)
    return solution.column_grid(lo, hi, n, dtype=dtype, device=device)


@check(points=1, given=[{"dtype": None}, {"dtype": torch.float32}, {}], before=[False, True], devices=False)
def default_dtype_is_respected(solution, given, before):
    """Without a dtype the caller's default dtype is used."""
    hi = 6 if before else 3
    if before:
        solution.column_grid(0, hi, 4, **given)  # the same call, with the default of now
    with default_dtype(torch.float64):
        return solution.column_grid(0, hi, 4, **given)


@check(points=2, n=[6, 1, 0], way=["argument", "default"], devices=False)
def nothing_stays_on_another_device(solution, n, way):
    """The whole result lies on the device that was asked for, or on PyTorch's default device."""
    if way == "argument":
        found = solution.column_grid(0.0, 1.0, n, device="meta")
    else:
        with torch.device("meta"):
            found = solution.column_grid(0.0, 1.0, n)
    if not isinstance(found, torch.Tensor):
        return {"a tensor": False, "device": None, "shape": None, "dtype": None}
    return {"a tensor": True, "device": found.device, "shape": tuple(found.shape), "dtype": found.dtype}
