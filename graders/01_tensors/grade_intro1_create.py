"""Hidden checks for from_list, zero_table, identity_matrix and filled_like."""

import torch

from torchdojo.grading import check, tensor

CONCEPTS = ("B01", "B03")
KEPT = {"a_nested_list_is_a_table": "the axes, worth points without the dtype"}


class oracle:
    """Number by number, with the dtype by the rules of the exercise."""

    def from_list(numbers):
        kinds = {type(n) for n in flat(numbers)}
        dtype = torch.get_default_dtype() if float in kinds else torch.int64 if int in kinds else torch.bool
        if not isinstance(numbers[0], list):
            result = torch.zeros(len(numbers), dtype=dtype)
            for i, n in enumerate(numbers):
                result[i] = n
            return result
        return torch.stack([oracle.from_list(row).to(dtype) for row in numbers])

    def zero_table(rows, columns):
        return torch.zeros(1).expand(rows, columns).clone()

    def identity_matrix(n):
        position = torch.arange(n)
        return (position[:, None] == position).to(torch.get_default_dtype())

    def filled_like(t, value):
        return torch.zeros_like(t, memory_format=torch.contiguous_format) + torch.tensor(value, dtype=t.dtype)


def flat(numbers):
    """The numbers of a nested list."""
    return [n for part in numbers for n in flat(part)] if isinstance(numbers, list) else [numbers]


@check(points=2, numbers=[[3, 1, 2], [[1, 2], [3, 4], [5, 6]], [7], [[[1, 2, 3]], [[4, 5, 6]]]], devices=False)
def a_nested_list_is_a_table(solution, numbers):
    """The nesting of the list gives the axes of the tensor."""
    return solution.from_list(numbers)


@check(points=2, numbers=[[1.5, 2.0], [1, 2.5], [[True, False], [False, False]], [[0.1], [3]]], devices=False)
def the_dtype_follows_from_the_numbers(solution, numbers):
    """Floats, a mix with one float, and bools get the dtype that PyTorch infers."""
    return solution.from_list(numbers)


@check(points=2, sizes=[(2, 3), (4, 1), (1, 5), (3, 2)], devices=False)
def zeros_and_identity(solution, sizes):
    """zero_table has shape (rows, columns); identity_matrix has ones on the diagonal."""
    return {"zero_table": solution.zero_table(*sizes), "identity_matrix": solution.identity_matrix(sizes[0])}


@check(points=2, t=tensor("...", low=2, high=5), value=[7, 0, -1, 3.0], dtype=[torch.int64, torch.float64, torch.float32], minimum=1)
def shape_and_dtype_are_taken_from_t(solution, t, value, dtype):
    """The new tensor has the shape and dtype of t, and every element is the value."""
    given = t.to(dtype)
    before = given.clone()
    return {"result": solution.filled_like(given, value), "t unchanged": torch.equal(given, before)}
