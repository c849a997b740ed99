"""Visible tests for pad_stack: pytest exercises/01_tensors -k pad_stack"""

import torch

from ex08_pad_stack import pad_stack
from torchdojo import assert_same


def test_the_short_sequence_is_filled_up_at_its_end():
    """Lengths 3 and 1 give three rows each; the last two are padding."""
    padded, _ = pad_stack([torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), torch.tensor([[7.0, 8.0]])])

    want = [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [0.0, 0.0], [0.0, 0.0]]]
    assert_same(padded, torch.tensor(want))


def test_the_mask_is_true_on_real_rows():
    """True where a row comes from a sequence, False on padding."""
    _, mask = pad_stack([torch.tensor([[1.0], [2.0], [3.0]]), torch.tensor([[0.0]])])

    assert_same(mask, torch.tensor([[True, True, True], [True, False, False]]))


def test_padding_holds_pad():
    """With pad=-1 the missing rows are -1."""
    padded, mask = pad_stack([torch.tensor([[6.0]]), torch.tensor([[7.0], [8.0], [9.0]])], pad=-1.0)

    assert_same(padded, torch.tensor([[[6.0], [-1.0], [-1.0]], [[7.0], [8.0], [9.0]]]))
    assert_same(mask, torch.tensor([[True, False, False], [True, True, True]]))
