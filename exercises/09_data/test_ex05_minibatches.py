"""Visible tests for minibatches: pytest exercises/09_data -k minibatches"""

import torch

from ex05_minibatches import minibatches
from torchdojo import assert_same


def test_the_last_batch_has_what_is_left():
    """Five samples are one batch of four and one of one."""
    x, y = torch.tensor([[0.0], [10.0], [20.0], [30.0], [40.0]]), torch.tensor([0, 1, 2, 3, 4])

    got = list(minibatches(x, y, 4))

    assert_same([len(x_batch) for x_batch, _ in got], [4, 1])
    assert_same(got[0][0], torch.tensor([[0.0], [10.0], [20.0], [30.0]]))
    assert_same(got[1][1], torch.tensor([4]))


def test_a_generator_shuffles():
    """The order is the one that randperm draws."""
    x, y = torch.tensor([0, 10, 20, 30]), torch.tensor([0, 1, 2, 3])
    order = torch.randperm(4, generator=torch.Generator().manual_seed(3))

    got = list(minibatches(x, y, 4, torch.Generator().manual_seed(3)))

    assert_same(got[0][0], order * 10)


def test_shuffled_samples_keep_their_labels():
    """Each sample is ten times its label."""
    x, y = torch.tensor([0, 10, 20, 30]), torch.tensor([0, 1, 2, 3])

    got = list(minibatches(x, y, 4, torch.Generator().manual_seed(3)))

    assert_same(got[0][0], got[0][1] * 10)
