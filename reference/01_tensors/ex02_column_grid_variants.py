"""Known mistakes and unusual but correct solutions for column_grid."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "change_dim: return torch.linspace(lo, hi, n, dtype=dtype, device=device).unsqueeze(1)": "axis 1 is the last one",
    "add_detach: return torch.linspace(lo, hi, n, dtype=dtype, device=device).unsqueeze(-1).detach()": "new numbers have no graph",
}

HINTS = (
    "PyTorch has a function that takes both ends and the number of points. Its result has one axis; you need "
    "two.",
    "torch.linspace includes both ends; torch.arange does not. Creation functions take dtype= and device=, so "
    "pass yours on. An axis of size 1 is added by unsqueeze, and its argument says where the new axis goes.",
    "Make the flat grid with linspace, passing all five arguments, then add the new axis at the end: position "
    "-1.",
)


@mistake("column_grid", pitfall="torch.arange stops before its end")
def end_is_missing(lo, hi, n, *, dtype=None, device=None):
    """Your grid stops one step before hi: n points with both ends have n - 1 steps between them. linspace
    does that."""
    step = (hi - lo) / max(n, 1)
    i = torch.arange(n, dtype=dtype or torch.get_default_dtype(), device=device)
    return (lo + step * i).unsqueeze(-1)


one_axis_only = mistake.edited(
    "torch.linspace(lo, hi, n, dtype=dtype, device=device).unsqueeze(-1)",
    "torch.linspace(lo, hi, n, dtype=dtype, device=device)",
    "Your grid has shape (n,): a column has two axes, (n, 1). Add one at the end with unsqueeze(-1).")

a_row = mistake.edited(
    "torch.linspace(lo, hi, n, dtype=dtype, device=device).unsqueeze(-1)",
    "torch.linspace(lo, hi, n, dtype=dtype, device=device).unsqueeze(0)",
    "Your grid is a row, (1, n): the new axis belongs at the end, not in front.")

device_is_forgotten = mistake.edited(
    "torch.linspace(lo, hi, n, dtype=dtype, device=device)", "torch.linspace(lo, hi, n, dtype=dtype)",
    "The requested device is ignored: pass device on to the function that creates the grid.")

dtype_is_forgotten = mistake.edited(
    "torch.linspace(lo, hi, n, dtype=dtype, device=device)", "torch.linspace(lo, hi, n, device=device)",
    "The requested dtype is ignored: pass dtype on to the function that creates the numbers.")

float32_when_not_told = mistake.edited(
    "torch.linspace(lo, hi, n, dtype=dtype, device=device)",
    "torch.linspace(lo, hi, n, dtype=dtype or torch.float32, device=device)",
    "Without a dtype your grid is float32, but the caller may have set another default. Pass None on, and PyTorch chooses.")


@mistake("column_grid")
def nan_for_a_single_point(lo, hi, n, *, dtype=None, device=None):
    """With n = 1 you got nan, as from a division by n - 1 = 0: one point has no step. It should be lo."""
    i = torch.arange(n, dtype=dtype or torch.get_default_dtype(), device=device)
    return (lo + (hi - lo) * (i / (n - 1))).unsqueeze(-1)


always_rising = mistake.edited(
    "torch.linspace(lo, hi, n, dtype=dtype, device=device)",
    "torch.linspace(min(lo, hi), max(lo, hi), n, dtype=dtype, device=device)",
    "Your grid always rises: when lo is larger than hi the numbers should go down, so sort neither the ends nor the numbers.")

one_point_too_many = mistake.edited(
    "torch.linspace(lo, hi, n, dtype=dtype, device=device)",
    "torch.linspace(lo, hi, n + 1, dtype=dtype, device=device)",
    "Your grid has n + 1 points: n is the number of points, not of the steps between them.")

default_dtype_when_the_file_was_read = mistake.edited(
    "dtype: torch.dtype | None = None,", "dtype: torch.dtype | None = torch.get_default_dtype(),",
    "Leave the default of dtype at None: any other default is fixed when Python reads the line with def, before the "
    "caller changes PyTorch's default dtype. With None, PyTorch looks it up in each call.")


@mistake("column_grid")
def divides_by_zero_for_a_single_point(lo, hi, n, *, dtype=None, device=None):
    """With n = 1 you divide by n - 1, which is 0: one point has no step. The result should be lo alone."""
    numbers = [lo + (hi - lo) * i / (n - 1) for i in range(n)]
    return torch.tensor(numbers, dtype=dtype or torch.get_default_dtype(), device=device).reshape(n, 1)


no_device_is_the_cpu = mistake.edited(
    "torch.linspace(lo, hi, n, dtype=dtype, device=device)",
    'torch.linspace(lo, hi, n, dtype=dtype, device=device or "cpu")',
    "Without a device your grid is on the CPU: None means PyTorch's default device, so pass it on as it is.")


@alternative("column_grid")
def made_here_then_moved(lo, hi, n, *, dtype=None, device=None):
    """Created on the default device, reshaped, then moved."""
    grid = torch.linspace(lo, hi, n, dtype=dtype).reshape(n, 1)
    return grid if device is None else grid.to(device)


@alternative("column_grid")
def between_the_ends_in_the_dtype_asked_for(lo, hi, n, *, dtype=None, device=None):
    """Weights from 0 to 1 in the dtype itself, however coarse it is."""
    part = torch.linspace(0, 1, n, dtype=dtype, device=device)
    return torch.lerp(torch.full_like(part, lo), torch.full_like(part, hi), part).unsqueeze(1)


@alternative("column_grid")
def steps_in_the_dtype_asked_for(lo, hi, n, *, dtype=None, device=None):
    """Numbers counted in the dtype itself, times the step."""
    step = (hi - lo) / (n - 1) if n > 1 else 0.0
    return torch.arange(n, dtype=dtype or torch.get_default_dtype(), device=device).mul(step).add(lo).unsqueeze(1)


@alternative("column_grid")
def arange_and_a_step(lo, hi, n, *, dtype=None, device=None):
    """Arithmetic on arange, in float64 until the end."""
    step = (hi - lo) / (n - 1) if n > 1 else 0.0
    i = torch.arange(n, dtype=torch.float64, device=device)
    return (lo + step * i)[:, None].to(dtype or torch.get_default_dtype())


@alternative("column_grid")
def filled_row_by_row(lo, hi, n, *, dtype=None, device=None):
    """An empty column whose rows are assigned in a loop."""
    out = torch.empty(n, 1, dtype=dtype, device=device)
    for i in range(n):
        out[i, 0] = lo + (hi - lo) * i / max(n - 1, 1)
    return out
