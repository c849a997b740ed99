"""Visible tests for mixup: pytest exercises/12_vision -k mixup"""

import math

import torch

from ex09_mixup import mixup, mixup_loss
from torchdojo import assert_same


def test_each_image_is_mixed_with_that_of_its_other_label():
    """Image i has the number 10 ** i everywhere, and the label i."""
    labels = torch.arange(5)
    images = (10.0**labels).reshape(5, 1, 1, 1).expand(5, 1, 2, 2)

    mixed, others, weight = mixup(images, labels, alpha=1.0)

    assert_same(mixed, weight * images + (1 - weight) * images[others])


def test_the_order_changes():
    """In eight calls, 20 images aren't always mixed with the same others."""
    orders = {tuple(mixup(torch.ones(20, 1, 1, 1), torch.arange(20), alpha=1.0)[1].tolist()) for _ in range(8)}

    assert len(orders) > 1


def test_losses_are_mixed():
    """log 2 for the class with probability 1/2, log 4 for one with 1/4."""
    logits = torch.tensor([[0.5, 0.25, 0.125, 0.125]]).log()

    assert_same(mixup_loss(logits, torch.tensor([0]), torch.tensor([1]), 0.5), torch.tensor(1.5 * math.log(2)))


def test_class_numbers_are_not_mixed():
    """Half of class 1 and half of class 3: class 2 has nothing to do with it."""
    logits = torch.tensor([[0.25, 0.25, 0.25, 0.25], [0.125, 0.25, 0.5, 0.125]]).log()

    got = mixup_loss(logits, torch.tensor([1, 1]), torch.tensor([3, 3]), 0.5)

    assert_same(got, torch.tensor((2 + 2.5) / 2 * math.log(2)))
