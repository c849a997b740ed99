"""Sentences about code are held against the part of the file that a check runs."""

import types

from torchdojo.explain.own_names import written
from torchdojo.explain.parts_of_file import names_in, run_by

FILE = b"""
import torch

SIZE = first_size()

def first_size():
    return 3

def rows(x):
    return x[torch.arange(SIZE)]

def above(x, t):
    return torch.masked_select(x, limit(x, t))

def limit(x, t):
    return x >= t

class Layer(torch.nn.Module):
    def forward(self, x):
        return rows(x)
"""


def helper(solution, x):
    return solution.above(x, 1.0)


def of(function):
    """The part of the file that a check with this function runs."""
    return run_by(types.SimpleNamespace(function=function), written(FILE))


def test_a_part_holds_what_is_called_directly_or_not():
    """The function that the check names, those that it calls, and what runs at import: no other."""
    part = of(lambda solution, x: solution.above(x, 1.0))
    assert {"above", "limit", "first_size", "SIZE"} <= part.names and part.names.isdisjoint({"rows", "arange", "Layer", "forward"})
    assert part.comparisons == {">="}
    assert "arange" in of(lambda solution, x: [solution.Layer()(row) for row in x]).names


def test_names_of_helpers_and_in_strings_count():
    """A grader may call through a function of its own, or with getattr."""
    assert "above" in names_in(lambda solution, x: helper(solution, x))
    assert of(lambda solution, x: helper(solution, x)).names.isdisjoint({"arange"})
    assert "arange" in of(lambda solution, x: getattr(solution, "rows")(x)).names  # noqa: B009


def test_the_whole_file_counts_where_a_check_names_nothing():
    """A quiz, or a file of another shape; and a file that is not known."""
    assert of(lambda solution: solution.ANSWERS) == written(FILE)
    assert run_by(types.SimpleNamespace(function=helper), None) is None
