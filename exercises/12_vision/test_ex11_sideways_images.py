"""Visible tests for prepare_images, PixelClassifier and the loss: pytest exercises/12_vision -k sideways_images"""

import torch
from torch import nn
from torch.nn import functional as F

from ex11_sideways_images import PixelClassifier, pixels_accuracy, pixels_loss, prepare_images
from torchdojo import assert_same


def test_a_white_row_stays_a_row():
    """Of 2 rows and 3 columns, the upper row is white."""
    pixels = torch.zeros(1, 2, 3, 3, dtype=torch.uint8)
    pixels[:, 0] = 255

    assert_same(prepare_images(pixels)[0, 0], torch.tensor([[1.0, 1.0, 1.0], [-1.0, -1.0, -1.0]]))


def test_one_image_is_a_batch():
    """A batch of one image has one row of scores."""
    scores = PixelClassifier(4, 5)(torch.ones(1, 3, 6, 8))

    assert_same(list(scores.shape), [1, 5])


class Sure(nn.Module):
    """Knows every label, behind dropout; it keeps the images that it gets."""

    def __init__(self, labels):
        super().__init__()
        self.labels, self.drop, self.images = labels, nn.Dropout(1.0), None

    def forward(self, images):
        self.images = images
        return self.drop(50 * F.one_hot(self.labels, 3).float())


LABELS = torch.tensor([2, 1, 2])
BLACK = torch.zeros(3, 2, 2, 3, dtype=torch.uint8)


def test_images_are_normalized_once():
    """Black is -1 in red, -2 in green, and -1 in blue."""
    model = Sure(LABELS).eval()

    pixels_loss(model, BLACK, LABELS)

    assert_same(model.images[0, :, 0, 0], torch.tensor([-1.0, -2.0, -1.0]))


def test_a_sure_model_has_no_loss():
    """The right class has a score of 50, the others have 0."""
    assert_same(pixels_loss(Sure(LABELS).eval(), BLACK, LABELS), torch.tensor(0.0))


def test_accuracy_has_no_dropout():
    """With dropout of everything, only evaluation mode finds the labels."""
    assert_same(pixels_accuracy(Sure(LABELS), BLACK, LABELS), 1.0)
