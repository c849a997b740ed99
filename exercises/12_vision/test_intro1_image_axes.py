"""Visible tests for to_channels_first, channel_statistics and normalize_images: pytest exercises/12_vision -k intro1"""

import torch

from intro1_image_axes import channel_statistics, to_channels_first, normalize_images
from torchdojo import assert_same


def test_each_channel_is_a_picture_of_its_own():
    """One row of two pixels, (0, 51, 255) and (255, 204, 0)."""
    pixels = torch.tensor([[[0, 51, 255], [255, 204, 0]]], dtype=torch.uint8)

    assert_same(to_channels_first(pixels), torch.tensor([[[0.0, 1.0]], [[0.2, 0.8]], [[1.0, 0.0]]]))


def test_all_pixels_of_all_images_count():
    """Channel 0 is 1 in one image and 5 in the other; channel 1 is 2, 4."""
    first = torch.tensor([[[1.0, 1.0, 1.0]], [[2.0, 2.0, 2.0]]])
    second = torch.tensor([[[5.0, 5.0, 5.0]], [[4.0, 4.0, 4.0]]])

    mean, std = channel_statistics(torch.stack([first, second]))

    assert_same(mean, torch.tensor([3.0, 3.0]))
    assert_same(std, torch.tensor([2.0, 1.0]))


def test_each_channel_has_its_own_numbers():
    """(4 - 1) / 3, (7 - 1) / 3 and (10 - 1) / 3; then (6 - 2) / 4, ..."""
    images = torch.tensor([[[[4.0, 7.0, 10.0]], [[6.0, 10.0, 14.0]]]])

    got = normalize_images(images, mean=torch.tensor([1.0, 2.0]), std=torch.tensor([3.0, 4.0]))

    assert_same(got, torch.tensor([[[[1.0, 2.0, 3.0]], [[1.0, 2.0, 3.0]]]]))
