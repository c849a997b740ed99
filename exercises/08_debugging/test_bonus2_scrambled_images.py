"""Visible tests for channels_first and channels_last: pytest exercises/08_debugging -k scrambled_images"""

import torch

from bonus2_scrambled_images import channels_first, channels_last
from torchdojo import assert_same


def test_each_plane_holds_one_channel():
    """Channel 0 of the three pixels is 1, 3, 5; channel 1 is 2, 4, 6."""
    image = torch.tensor([[[1, 2], [3, 4], [5, 6]]])

    assert_same(channels_first(image).contiguous(), torch.tensor([[[1, 3, 5]], [[2, 4, 6]]]))


def test_each_pixel_gets_its_channels_back():
    """channels_last puts the two channels of a pixel side by side."""
    planes = torch.tensor([[[1, 3, 5]], [[2, 4, 6]]])

    assert_same(channels_last(planes).contiguous(), torch.tensor([[[1, 2], [3, 4], [5, 6]]]))


def test_batch_axis_stays_in_front():
    """Two images of 3 rows, 4 columns, 5 channels."""
    assert channels_first(torch.zeros(2, 3, 4, 5)).shape == (2, 5, 3, 4)
    assert channels_last(torch.zeros(2, 5, 3, 4)).shape == (2, 3, 4, 5)
