"""Visible tests for collate_padded: pytest exercises/09_data -k collate_padded"""

import torch

from ex04_collate_padded import collate_padded
from torchdojo import assert_same


def test_short_sequences_are_padded_at_the_end():
    """The second row has one token and two zeros."""
    padded, _, _ = collate_padded([(torch.tensor([5, 6, 7]), 1), (torch.tensor([8]), 0)])

    assert_same(padded, torch.tensor([[5, 6, 7], [8, 0, 0]]))


def test_the_mask_is_true_at_real_tokens():
    """A token 0 is real, padding is not."""
    _, mask, _ = collate_padded([(torch.tensor([5, 0, 7]), 1), (torch.tensor([0]), 0)])

    assert_same(mask, torch.tensor([[True, True, True], [True, False, False]]))


def test_labels_become_one_tensor():
    """One label for each sample, in their order."""
    _, _, labels = collate_padded([(torch.tensor([5]), 2), (torch.tensor([8, 9]), 0), (torch.tensor([3]), 1)])

    assert_same(labels, torch.tensor([2, 0, 1]))


def test_pad_is_what_rows_are_filled_with():
    """Padding with -1."""
    padded, _, _ = collate_padded([(torch.tensor([5]), 0), (torch.tensor([8, 9]), 0)], pad=-1)

    assert_same(padded, torch.tensor([[5, -1], [8, 9]]))
