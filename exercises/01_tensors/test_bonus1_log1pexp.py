"""Visible tests for log1pexp: pytest exercises/01_tensors -k log1pexp"""

import math

import torch

from bonus1_log1pexp import log1pexp
from torchdojo import assert_same


def test_at_zero_it_is_log_two():
    """exp(0) is 1, so the answer is log(2)."""
    assert_same(log1pexp(torch.tensor([0.0])), torch.tensor([math.log(2.0)]))


def test_a_large_number_comes_back():
    """At 1000 the 1 is lost in exp(1000): the answer is 1000, not inf."""
    assert_same(log1pexp(torch.tensor([1000.0, -1000.0])), torch.tensor([1000.0, 0.0]))


def test_a_small_answer_is_not_zero():
    """At -50 the answer is exp(-50), a tiny number above 0."""
    got = log1pexp(torch.tensor([-50.0], dtype=torch.float64))

    assert 1.9e-22 < got.item() < 2.0e-22
