"""Rows that are off by one factor, amount or total, each by its own; and what looks alike and is not."""

import pytest
import torch
from causes import text_of

from torchdojo.explain.pairs import Pair
from torchdojo.explain.rules import optimizer, rows

BASE = [torch.tensor([[1.0, 2.0, 4.0], [3.0, 5.0, -1.0]]), torch.tensor([[2.0, 7.0, 1.0], [4.0, -2.0, 6.0]]), torch.tensor([[1.5, 2.5, 9.0]])]


def found(make):
    """The cause for answers that make(right, number) turns wrong."""
    pairs = [Pair(make(t.double(), n), t.double()) for n, t in enumerate(BASE)]
    cause = rows.cause(pairs)
    return text_of(cause) and (cause.kind, text_of(cause).partition(", which differs")[0])


@pytest.mark.parametrize(
    ("make", "want"),
    [
        (lambda t, n: t / t.abs().sum(-1, keepdim=True), ("scale", "Along axis -1, all values are off by the same factor")),
        (lambda t, n: t * (n + 2), ("scale", "In each answer, all values are off by the same factor")),
        (lambda t, n: t - t.amin(-1, keepdim=True) - 9, ("shift", "Along axis -1, all values are off by the same amount")),
        (lambda t, n: t.sum(0, keepdim=True).expand(t.shape), ("total", "Along axis -2, every value is the sum of the expected ones: you reduced over an axis that should stay.")),
        (lambda t, n: t.mean(-1, keepdim=True).expand(t.shape), ("total", "Along axis -1, every value is the mean of the expected ones: you reduced over an axis that should stay.")),
        (lambda t, n: t * 3, None),  # one factor for all: `values` says which
        (lambda t, n: t * t, None),
        (lambda t, n: t * float("nan"), None),  # off by nan is off by no amount
        (lambda t, n: t + float("inf"), None),
        (lambda t, n: t, None),
        (lambda t, n: t + torch.arange(t.shape[-1]), None),
    ],
)
def test_what_rows_have_in_common(make, want):
    """Said only where it is true of every row, and another number from row to row."""
    assert found(make) == want


def test_answers_of_any_rank():
    """Each answer as a whole; a number alone tells nothing, and takes nothing away."""
    shapes = [*(t.double() for t in BASE), torch.tensor([4.0, 1.0, 3.0, 5.0]).double(), torch.tensor(2.0).double()]
    said = rows.cause([Pair(t * (n + 2), t) for n, t in enumerate(shapes)])
    assert text_of(said).startswith("In each answer, all values are off by the same factor")
    assert rows.cause([Pair(t * t, t) for t in shapes]) is None


def test_too_few_numbers_say_nothing():
    """Two numbers share a factor by chance."""
    pairs = [Pair(t[..., :1].double() * (n + 2), t[..., :1].double()) for n, t in enumerate(BASE)]
    assert rows.cause(pairs) is None


def test_rows_that_are_zero_among_right_ones():
    """That is no factor: some of them were left out, or treated on their own."""
    want = torch.tensor([[1.0, 2.0, 4.0], [3.0, 5.0, -1.0], [2.0, 7.0, 1.5]], dtype=torch.float64)
    got = torch.where(torch.tensor([[True], [True], [False]]), want, 0.0)
    told = rows.cause([Pair(got, want)])
    assert told.kind == "zero" and text_of(told).startswith("Along axis -1, the values are either all 0 or all right")
    assert rows.cause([Pair(got * torch.tensor([[2.0], [3.0], [1.0]]), want)]) is None
