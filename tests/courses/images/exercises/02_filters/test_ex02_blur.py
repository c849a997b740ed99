"""Visible tests for blur: pytest exercises/02_filters -k blur"""

import torch

from ex02_blur import blur, blur_rows, gaussian
from torchdojo import assert_same


def test_a_point_becomes_the_weights():
    """A single 1 in a row becomes the weights."""
    weights = gaussian(1, 1.0)

    assert_same(blur_rows(torch.tensor([[0.0, 1.0, 0.0]], dtype=torch.float64), weights), weights[None])


def test_both_axes():
    """The weights along rows times the weights along columns."""
    weights = torch.tensor([0.0, 1.0, 0.0], dtype=torch.float64)

    assert_same(blur(torch.eye(3), weights), torch.eye(3))
