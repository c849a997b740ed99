"""Visible tests for cutout: pytest exercises/03_augment -k cutout"""

import torch

from bonus1_cutout import cutout
from torchdojo import assert_same


def test_the_corner():
    """The square begins outside of the image."""
    assert_same(cutout(torch.ones(2, 2), -1, 0, 2), torch.tensor([[0.0, 0.0], [1.0, 1.0]]))
