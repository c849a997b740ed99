"""Hidden checks for row_of, column_of, block_of and every_second_column."""

import torch

from torchdojo.grading import check, shares_memory, tensor

CONCEPTS = ("B06", "E07")
KEPT = {
    "a_column_is_a_column": "the values, worth points whether they are a view or a copy",
    "columns_are_taken_in_steps_of_two": "the values, worth points whether they are a view or a copy",
}


class oracle:
    """Rows and columns one by one."""

    def row_of(t, n):
        return t.unbind(0)[n]

    def column_of(t, n):
        return t.unbind(1)[n]

    def block_of(t, top, bottom, left, right):
        return t.narrow(0, top, bottom - top).narrow(1, left, right - left)

    def every_second_column(t):
        return torch.stack([column for n, column in enumerate(t.unbind(1)) if n % 2 == 0], dim=1)


def numbers(rows, columns, device):
    """No number twice."""
    return torch.arange(rows * columns, device=device).reshape(rows, columns)


@check(points=2, size=[(3, 4), (2, 5), (4, 2)], n=[0, 1, -1], aliasing="any")
def a_row_is_a_row(solution, size, n, device):
    """The result is row n, with one axis."""
    return solution.row_of(numbers(*size, device), n)


@check(points=2, size=[(3, 4), (2, 5), (4, 2)], n=[0, 1, -1], aliasing="any")
def a_column_is_a_column(solution, size, n, device):
    """The result is column n, with one axis."""
    return solution.column_of(numbers(*size, device), n)


@check(points=3, ends=[(0, 2, 2, 4), (1, 3, 0, 1), (2, 4, 1, 4), (0, 1, 3, 6)], aliasing="any")
def a_block_has_its_rows_and_columns(solution, ends, device):
    """The block has the requested rows and columns."""
    return solution.block_of(numbers(5, 7, device), *ends)


@check(points=2, t=tensor("rows columns", distinct=True), minimum=1, aliasing="any")
def columns_are_taken_in_steps_of_two(solution, t):
    """The result has every second column, starting with the first."""
    return solution.every_second_column(t)


@check(points=1, star=True, size=[(4, 6), (3, 5)], aliasing="any")
def slices_are_views(solution, size, device):
    """All four results share memory with the matrix."""
    t = numbers(*size, device)
    parts = {
        "row_of": solution.row_of(t, 1),
        "column_of": solution.column_of(t, 2),
        "block_of": solution.block_of(t, 1, 3, 2, 4),
        "every_second_column": solution.every_second_column(t),
    }
    return parts, [name for name, part in parts.items() if not shares_memory(part, t)]


@slices_are_views.rule
def _(copies):
    return f"{copies[0]} returned a copy, not a view" if copies else None
