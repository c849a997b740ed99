"""Visible tests for AugmentedImages: pytest exercises/09_data -k augmented_images"""

import torch

from ex08_augmented_images import AugmentedImages
from torchdojo import assert_same


def asked_often(training: bool) -> list:
    """The first row of one image of 2 x 2 pixels, asked for 50 times."""
    images = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    data = AugmentedImages(images, torch.tensor([7]), training, torch.Generator().manual_seed(0))
    return [data[0][0].tolist() for _ in range(50)]


def test_in_training_an_image_is_sometimes_mirrored():
    """It comes as it is and mirrored left to right, and in no other way."""
    seen = asked_often(training=True)

    assert [[[1.0, 2.0], [3.0, 4.0]]] in seen
    assert [[[2.0, 1.0], [4.0, 3.0]]] in seen
    assert len({str(image) for image in seen}) == 2


def test_in_validation_an_image_stays_as_it_is():
    """Fifty times the same."""
    assert asked_often(training=False) == [[[[1.0, 2.0], [3.0, 4.0]]]] * 50


def test_an_item_has_its_label():
    """The label of the second image."""
    images = torch.zeros(2, 1, 2, 2)
    data = AugmentedImages(images, torch.tensor([7, 8]), True, torch.Generator().manual_seed(0))

    assert_same(data[1][1], torch.tensor(8))
