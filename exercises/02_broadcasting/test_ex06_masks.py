"""Visible tests for one_hot and causal_mask: pytest exercises/02_broadcasting -k masks"""

import torch

from ex06_masks import causal_mask, one_hot
from torchdojo import assert_same


def test_each_label_gets_its_own_row():
    """Labels 2 and 0 of 3 classes."""
    got = one_hot(torch.tensor([2, 0]), 3)

    assert_same(got, torch.tensor([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]))


def test_the_classes_are_a_new_last_axis():
    """A (1, 2) tensor of labels gives (1, 2, 3), in the requested dtype."""
    got = one_hot(torch.tensor([[1, 1]]), 3, dtype=torch.int64)

    assert_same(got, torch.tensor([[[0, 1, 0], [0, 1, 0]]]))


def test_a_query_sees_itself_and_the_past():
    """The first query sees one key, the second both."""
    assert_same(causal_mask(2), torch.tensor([[True, False], [True, True]]))
