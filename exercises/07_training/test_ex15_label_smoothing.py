"""Visible tests for smoothed_cross_entropy: pytest exercises/07_training -k label_smoothing"""

import math

import torch

from ex15_label_smoothing import smoothed_cross_entropy
from torchdojo import assert_same

# The predicted probabilities are 1/2, 1/4 and 1/4.
HALF = torch.tensor([[math.log(2.0), 0.0, 0.0]])


def test_without_smoothing_the_loss_is_that_of_the_class():
    """The class of the label has probability 1/2."""
    assert_same(smoothed_cross_entropy(HALF, torch.tensor([0]), 0.0), torch.tensor(math.log(2.0)))


def test_every_class_has_a_share_of_the_smoothing():
    """With smoothing 0.75 and 3 classes the targets are 1/2, 1/4 and 1/4."""
    want = 0.5 * math.log(2.0) + 0.25 * math.log(4.0) + 0.25 * math.log(4.0)

    assert_same(smoothed_cross_entropy(HALF, torch.tensor([0]), 0.75), torch.tensor(want))


def test_the_loss_is_the_mean_over_the_samples():
    """Losses of log 2 and log 4 have the mean 1.5 * log 2."""
    logits = HALF.expand(2, 3)

    assert_same(smoothed_cross_entropy(logits, torch.tensor([0, 1]), 0.0), torch.tensor(1.5 * math.log(2.0)))
