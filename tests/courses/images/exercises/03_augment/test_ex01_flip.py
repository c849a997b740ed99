"""Visible tests for RandomFlip: pytest exercises/03_augment -k flip"""

import torch

from ex01_flip import RandomFlip
from torchdojo import assert_same


def test_all_are_flipped():
    """With p=1 each image is flipped."""
    assert_same(RandomFlip(1.0)(torch.tensor([[[1.0, 2.0, 3.0]]])), torch.tensor([[[3.0, 2.0, 1.0]]]))


def test_none_is_flipped():
    """With p=0 no image is flipped."""
    assert_same(RandomFlip(0.0)(torch.tensor([[[1.0, 2.0, 3.0]]])), torch.tensor([[[1.0, 2.0, 3.0]]]))
