"""Visible tests for AugmentedImages: pytest exercises/09_data -k augmented_images"""

import copy

import torch

from ex08_augmented_images import AugmentedImages
from torchdojo import LoaderWorker, assert_same

ORIGINAL, MIRRORED = [[[1.0, 2.0], [3.0, 4.0]]], [[[2.0, 1.0], [4.0, 3.0]]]


def one_image(training: bool) -> AugmentedImages:
    """A dataset with one image of 2 x 2 pixels."""
    return AugmentedImages(torch.tensor([ORIGINAL]), torch.tensor([7]), training)


def asked_often(data: AugmentedImages) -> list:
    """The image, asked for 50 times."""
    return [data[0][0].tolist() for _ in range(50)]


def test_in_training_an_image_is_sometimes_mirrored():
    """It comes as it is and mirrored left to right, and in no other way."""
    seen = asked_often(one_image(training=True))

    assert ORIGINAL in seen
    assert MIRRORED in seen
    assert len({str(image) for image in seen}) == 2


def test_in_validation_an_image_stays_as_it_is():
    """Fifty times the same."""
    assert asked_often(one_image(training=False)) == [ORIGINAL] * 50


def test_two_workers_decide_independently():
    """Each of two workers has a copy of the dataset; their flips differ."""
    data = one_image(training=True)

    with LoaderWorker(0, of=2):
        first = asked_often(copy.deepcopy(data))
    with LoaderWorker(1, of=2):
        second = asked_often(copy.deepcopy(data))

    assert first != second, "both workers mirrored at the same requests"


def test_an_item_has_its_label():
    """The label of the second image."""
    data = AugmentedImages(torch.zeros(2, 1, 2, 2), torch.tensor([7, 8]), True)

    assert_same(data[1][1], torch.tensor(8))
