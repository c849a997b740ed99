"""Visible tests for bad numbers: pytest exercises/08_debugging -k intro1"""

import torch

from intro1_bad_numbers import first_bad, has_bad_numbers
from torchdojo import assert_same


def test_nan_is_found():
    """One nan among three numbers is enough."""
    assert_same(has_bad_numbers(torch.tensor([1.0, float("nan"), 3.0])), True)


def test_infinity_is_found():
    """The log of 0 is -inf."""
    assert_same(has_bad_numbers(torch.zeros(2).log()), True)


def test_ordinary_numbers_are_not_bad():
    """0, negative and large numbers are fine."""
    assert_same(has_bad_numbers(torch.tensor([0.0, -1.0, 1e30])), False)


def test_the_first_one_is_named():
    """The second tensor is the first one with -inf."""
    results = {"input": torch.ones(2), "log": torch.zeros(2).log(), "sum": torch.tensor(float("-inf"))}

    assert_same(first_bad(results), "log")


def test_without_bad_numbers_there_is_no_name():
    """The result is None."""
    assert_same(first_bad({"input": torch.ones(2)}), None)
