"""Visible tests for the project: pytest exercises/12_vision -k new_shapes"""

import torch
from torch import nn

from ex12_new_shapes import ShapeNet, learn_shapes, net_for_new_shapes, predict_shapes
from given.shapes import NEW, checkpoint, draw_shapes
from torchdojo import assert_same


def test_a_network_has_few_parameters():
    """5,944 in features, and 32 * 4 + 4 in the head."""
    model = ShapeNet(4, mean=0.5, std=0.2)

    assert_same(model(torch.zeros(2, 1, 12, 16, dtype=torch.uint8)).shape, torch.Size([2, 4]))
    assert_same(sum(p.numel() for p in model.parameters()), 6076)


class Twice(nn.Module):
    """Two pixels, normalized twice: by a frozen batch norm, and by one that is trained."""

    def __init__(self):
        super().__init__()
        self.frozen, self.norm = nn.BatchNorm2d(2).requires_grad_(False), nn.BatchNorm2d(2)

    def forward(self, images):
        return self.norm(self.frozen(images)).flatten(1)


def test_predictions_are_made_in_evaluation_mode():
    """A running mean of 9 makes the first pixel of both images negative; in the batch, one of them is above the mean."""
    model, images = Twice(), torch.tensor([[2.0, 0.5], [4.0, 0.0]]).reshape(2, 2, 1, 1)
    model.norm.running_mean[0] = 9

    assert_same(predict_shapes(model, images), torch.tensor([1, 1]))
    assert_same(model.norm.running_mean, torch.tensor([9.0, 0.0]))


def test_a_frozen_batch_norm_does_not_drift():
    """The mean of the images is 3 and 0.25; the other batch norm is trained and moves."""
    model, images, labels = Twice(), torch.tensor([[2.0, 0.5], [4.0, 0.0]]).reshape(2, 2, 1, 1), torch.tensor([1, 0])

    shares = learn_shapes(model, (images, labels), (images, labels), epochs=3, batch=2, lr=0.01)

    assert_same(model.frozen.running_mean, torch.zeros(2))
    assert model.norm.running_mean[0] > 0
    assert len(shares) == 3


def test_the_weights_come_from_the_checkpoint():
    """Those of the first convolution, as float32, and the head alone is trained."""
    model = net_for_new_shapes(checkpoint(), classes=7)

    assert_same(model.features[0].weight.detach(), checkpoint()["weights"]["features.0.weight"].float())
    assert_same([tuple(p.shape) for p in model.parameters() if p.requires_grad], [(7, 32), (7,)])


def test_twenty_images_of_each_new_shape_are_enough():
    """At least 90 % of 90 other images are right."""
    training, unseen = (draw_shapes(NEW, n, torch.Generator().manual_seed(n)) for n in (60, 90))

    shares = learn_shapes(net_for_new_shapes(checkpoint(), classes=3), training, unseen, epochs=20, batch=20, lr=0.03)

    assert shares[-1] >= 0.9
