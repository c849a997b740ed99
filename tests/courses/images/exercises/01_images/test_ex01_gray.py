"""Visible tests for to_gray: pytest exercises/01_images -k gray"""

import torch

from ex01_gray import to_gray
from torchdojo import assert_same


def test_white_stays_white():
    """All channels are 1, and the weights add up to 1."""
    assert_same(to_gray(torch.ones(1, 3, 2, 2)), torch.ones(1, 2, 2))
