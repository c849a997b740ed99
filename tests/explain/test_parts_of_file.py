"""Sentences about code are held against the part of the file that a check runs."""

import types

import torch

from torchdojo.explain import slip_sentences
from torchdojo.explain.own_names import written
from torchdojo.explain.parts_of_file import names_in, run_by
from torchdojo.explain.rules import shapes
from torchdojo.explain.true_of import held
from torchdojo.mutate.slip import Form, Kind, Of, Slip, Step

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
    assert part.comparisons == {">="} and part.whole == written(FILE)
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


def test_a_range_in_another_function_is_not_off_by_one():
    """One element too many was selected; `arange` stands in a function that the check doesn't call."""
    found = shapes.cause([(torch.ones(3), torch.ones(2), {})])
    assert held(found, of(helper)).sentence == "One axis is longer by 1."
    assert held(found, of(lambda solution, x: solution.rows(x))).sentence.endswith("off by one in a range, a slice or a size.")


def test_a_condition_is_told_in_the_words_of_the_file():
    """With other names it is quoted as it stands there; a file without it is not told about it."""
    slip = Slip(Kind.ORDER_OF_STEPS, Form.LATE, found=Step(Of.CONDITION, "shape[axis] == 1"), belongs=Step(Of.CONDITION, "stride[axis] != product"))
    loop = written(b"def f(a, b):\n    p = 1\n    for i in g(a):\n        if b[i] != p:\n            return False\n        if a[i] == 1:\n            continue\n")
    assert slip_sentences.fits([slip], loop)
    assert slip_sentences.retold(slip_sentences.cause([slip]), loop).sentence == "`if a[i] == 1` comes too late: it belongs before `if b[i] != p`."
    assert not slip_sentences.fits([slip], written(b"def f(shape, stride):\n    return tuple(stride) == strides(shape)\n"))
