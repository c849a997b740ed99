"""Padding on the wrong side of each row, told apart from what looks like it."""

import torch

from torchdojo.explain.pairs import pair_of
from torchdojo.explain.rules.padding import in_front

WANT = torch.tensor([[[1.0, 2.0], [3.0, 4.0], [0.0, 0.0]], [[5.0, 6.0], [0.0, 0.0], [0.0, 0.0]]])
GOT = torch.tensor([[[0.0, 0.0], [1.0, 2.0], [3.0, 4.0]], [[0.0, 0.0], [0.0, 0.0], [5.0, 6.0]]])


def said(got, want):
    """The sentence for one answer."""
    found = in_front([pair_of(got, want, {})])
    return found and found.sentence


def test_padding_that_comes_first():
    """Whatever it is filled with, of a mask as well."""
    assert said(GOT, WANT).startswith("In each row the padding comes first")
    assert said(GOT, torch.where(WANT == 0, -1.5, WANT)).startswith("In each row the padding comes first")
    assert said(GOT[..., 0] != 0, WANT[..., 0] != 0) == "In each row the True entries come last, but they belong first."


def test_what_is_not_padding_in_front():
    """Rows reversed, a right answer, one row alone, values that changed, and ones that are the last of their row."""
    assert said(torch.eye(3).flip(1), torch.eye(3)) is None
    assert said(torch.ones(3, 3).triu(), torch.ones(3, 3).tril()) is None
    assert said(WANT.flip(1), WANT) is None
    assert said(WANT, WANT) is None
    assert said(GOT[:1], WANT[:1]) is None
    assert said(GOT * 2, WANT) is None
