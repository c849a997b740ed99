"""Visible tests for output_size and flat_features: pytest exercises/12_vision -k intro2"""

import torch
from torch import nn

from intro2_output_size import flat_features, output_size
from torchdojo import assert_same


def test_only_whole_steps_count():
    """At 0, 3 and 6 a kernel of 4 lies inside 10 or 12 pixels."""
    assert_same(output_size(10, kernel=4, stride=3), 3)
    assert_same(output_size(12, kernel=4, stride=3), 3)


def test_pytorch_has_the_same_shape():
    """On the meta device PyTorch works out shapes, and no numbers."""
    conv = nn.Conv2d(3, 8, kernel_size=5, stride=2, padding=1, dilation=3, device="meta")
    result = conv(torch.empty(2, 3, 20, 31, device="meta"))

    assert_same((output_size(20, 5, 2, 1, 3), output_size(31, 5, 2, 1, 3)), tuple(result.shape[2:]))


def test_a_linear_layer_fits_behind_flatten():
    """Two convolutions make 6 channels of 3 rows and 4 columns."""
    model = nn.Sequential(nn.Conv2d(3, 5, 3, stride=2, padding=1), nn.Conv2d(5, 6, 2), nn.Flatten()).to("meta")
    result = model(torch.empty(1, 3, 8, 10, device="meta"))

    assert_same(flat_features((3, 8, 10), [(5, 3, 2, 1), (6, 2, 1, 0)]), result.shape[1])
