"""Visible tests for grad_cam: pytest exercises/12_vision -k grad_cam"""

import torch
from torch import nn

from bonus3_grad_cam import grad_cam
from torchdojo import assert_same


class Weighted(nn.Module):
    """The layer passes two channels on; each class is a weighted sum of their pixels."""

    def __init__(self, *weights):
        super().__init__()
        self.layer, self.weights = nn.Conv2d(2, 2, 1, bias=False), torch.tensor(weights)
        self.layer.weight.data.copy_(torch.eye(2).reshape(2, 2, 1, 1))

    def forward(self, images):
        return (self.layer(images)[:, None] * self.weights).sum(dim=(2, 3, 4))


IMAGE = torch.tensor([[[[1.0, 2.0]], [[3.0, 5.0]]]])  # one image of two channels, one row and two columns
MODEL = Weighted([[[1.0, 3.0]], [[4.0, 4.0]]], [[[6.0, 4.0]], [[-1.0, -3.0]]])  # of two classes


def test_weights_are_means_of_derivatives():
    """The weights are (1 + 3) / 2 and (4 + 4) / 2. 2 * 1 + 4 * 3 = 14, and 2 * 2 + 4 * 5 = 24."""
    assert_same(grad_cam(MODEL, MODEL.layer, IMAGE, torch.tensor([0])), torch.tensor([[[14.0, 24.0]]]))


def test_what_speaks_against_the_class_is_left_out():
    """The weights are 5 and -2. 5 * 1 - 2 * 3 is negative; 5 * 2 - 2 * 4 = 2."""
    image = torch.tensor([[[[1.0, 2.0]], [[3.0, 4.0]]]])

    assert_same(grad_cam(MODEL, MODEL.layer, image, torch.tensor([1])), torch.tensor([[[0.0, 2.0]]]))


def test_the_map_is_as_large_as_the_image():
    """The layer has one pixel for four: 2 * (3 + 5 + 7 + 9) everywhere."""
    model = nn.Sequential(nn.Conv2d(1, 1, 2, bias=False), nn.Flatten())
    model[0].weight.data.fill_(2.0)
    image = torch.tensor([[[[3.0, 5.0], [7.0, 9.0]]]])

    assert_same(grad_cam(model, model[0], image, torch.tensor([0])), torch.tensor([[[48.0, 48.0], [48.0, 48.0]]]))


def test_the_hook_is_removed():
    """Later runs of the model hand no features to a hook."""
    grad_cam(MODEL, MODEL.layer, IMAGE, torch.tensor([0]))

    assert len(MODEL.layer._forward_hooks) == 0


def test_parameters_get_no_gradient():
    """The .grad of the model's weight is still None."""
    model = nn.Sequential(nn.Conv2d(1, 1, 1), nn.Flatten(), nn.Linear(4, 3))

    grad_cam(model, model[0], torch.ones(1, 1, 2, 2), torch.tensor([2]))

    assert model[2].weight.grad is None
