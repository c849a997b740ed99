"""Visible tests for saliency: pytest exercises/12_vision -k saliency"""

import torch
from torch import nn

from bonus2_saliency import saliency
from torchdojo import assert_same


class Powers(nn.Module):
    """The scores are the sums of x, x ** 2, x ** 3, x ** 4 and x ** 5; so the derivatives are 1, 2 * x, 3 * x ** 2, ..."""

    def forward(self, images):
        return torch.stack([(images**k).sum(dim=(1, 2, 3)) for k in range(1, 6)], dim=1)


def test_the_largest_absolute_value_of_the_channels_counts():
    """The derivatives are 2, -6, 0 in the first channel, and 4, 2, -1 in the other."""
    image = torch.tensor([[[[1.0, -3.0, 0.0]], [[2.0, 1.0, -0.5]]]])

    assert_same(saliency(Powers(), image, torch.tensor([1])), torch.tensor([[[4.0, 6.0, 1.0]]]))


def test_each_image_has_its_own_class():
    """All pixels are 2: the derivative is 1 for class 0, and 3 * 2 ** 2 for class 2."""
    got = saliency(Powers(), torch.full((2, 3, 1, 4), 2.0), torch.tensor([0, 2]))

    assert_same(got, torch.tensor([[[1.0, 1.0, 1.0, 1.0]], [[12.0, 12.0, 12.0, 12.0]]]))


def test_parameters_get_no_gradient():
    """The .grad of the model's weight is still None."""
    model = nn.Sequential(nn.Flatten(), nn.Linear(6, 4))

    saliency(model, torch.ones(1, 2, 1, 3), torch.tensor([3]))

    assert model[1].weight.grad is None
