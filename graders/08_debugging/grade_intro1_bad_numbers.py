"""Hidden checks for has_bad_numbers and first_bad."""

import math

import torch

from torchdojo.grading import check

CONCEPTS = ("A02", "A05")

NAN, INF = float("nan"), float("inf")
GOOD = [(0.0,), (1.0, -2.0, 1e4)]
DTYPES = ["float32", "float64", "float16"]


class oracle:
    """Python's own question, number by number."""

    def has_bad_numbers(t):
        return not all(map(math.isfinite, t.flatten().tolist()))

    def first_bad(tensors):
        return ([name for name, t in tensors.items() if oracle.has_bad_numbers(t)] + [None])[0]


def row(numbers, dtype, device):
    """A matrix with one row."""
    return torch.tensor(numbers, device=device).to(getattr(torch, dtype)).reshape(1, -1)


@check(points=2, bad=[(1.0, NAN), (NAN, 1.0, 2.0)], good=GOOD, dtype=DTYPES)
def nan_is_found(solution, bad, good, dtype, device):
    """nan is found, at any position and in any dtype; ordinary numbers are not bad."""
    return {"with nan": solution.has_bad_numbers(row(bad, dtype, device)), "without": solution.has_bad_numbers(row(good, dtype, device))}


@check(points=2, bad=[(INF, 1.0), (1.0, -INF, 2.0), (1.0, INF)], good=GOOD, dtype=DTYPES)
def infinity_is_found(solution, bad, good, dtype, device):
    """inf and -inf are found, at any position and in any dtype; ordinary numbers are not bad."""
    return {"with inf": solution.has_bad_numbers(row(bad, dtype, device)), "without": solution.has_bad_numbers(row(good, dtype, device))}


@check(points=1, dtype=DTYPES)
def large_numbers_are_fine(solution, dtype, device):
    """The largest finite numbers of a dtype aren't bad, even if their sum overflows."""
    number = getattr(torch, dtype)
    return solution.has_bad_numbers(torch.full((1, 3), torch.finfo(number).max, dtype=number, device=device))


@check(points=3, bad=[("b",), ("a", "c"), ("c",), ("b", "c"), ()])
def the_first_bad_tensor_is_named(solution, bad, device):
    """The result is the name of the first bad tensor, or None."""
    return solution.first_bad({name: torch.tensor([NAN, INF, -INF] if name in bad else [2.0], device=device) for name in "abc"})
