"""Visible tests for CroppedPairs: pytest exercises/12_vision -k random_crops"""

import torch

from ex07_random_crops import CroppedPairs
from torchdojo import assert_same

# One image of one channel; its mask has the same numbers, so that both can be compared.
MASKS = torch.tensor([[[1, 2, 3, 4], [5, 6, 7, 8]]])
IMAGES = MASKS[:, None].float()


def test_in_validation_nothing_changes():
    """The image and its mask come as they are."""
    image, mask = CroppedPairs(IMAGES, MASKS, padding=1, training=False)[0]

    assert_same(image, IMAGES[0])
    assert_same(mask, MASKS[0])


def test_image_and_mask_show_the_same_window():
    """Where the mask is padding, the image is 0; elsewhere both have the same numbers."""
    data = CroppedPairs(IMAGES, MASKS, padding=2, training=True)
    pairs = [data[0] for _ in range(50)]
    images, masks = torch.stack([image for image, _ in pairs]), torch.stack([mask for _, mask in pairs])

    assert_same(images[:, 0], masks.where(masks != 255, 0).float())


def test_without_padding_only_the_mirror_is_random():
    """Both ways occur in 50 requests, and nothing else."""
    data = CroppedPairs(IMAGES, MASKS, padding=0, training=True)
    found = {tuple(data[0][1].flatten().tolist()) for _ in range(50)}

    assert_same(sorted(found), [(1, 2, 3, 4, 5, 6, 7, 8), (4, 3, 2, 1, 8, 7, 6, 5)])


def test_all_windows_occur():
    """With a padding of 1, number 6 comes to 3 rows and 4 columns, of which 2 rows are inside."""
    data = CroppedPairs(IMAGES, MASKS, padding=1, training=True)
    places = {tuple((data[0][1] == 6).nonzero().flatten().tolist()) for _ in range(400)}

    assert_same(sorted(places), [(), (0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3)])
