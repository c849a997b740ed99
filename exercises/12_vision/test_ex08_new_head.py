"""Visible tests for Transfer: pytest exercises/12_vision -k new_head"""

import torch
from torch import nn

from ex08_new_head import Transfer
from torchdojo import assert_same


class Small(nn.Module):
    """A trained network in miniature: two channels become three features, and these five classes."""

    def __init__(self):
        super().__init__()
        self.layer1 = nn.Sequential(nn.Conv2d(2, 3, 1), nn.BatchNorm2d(3))
        self.fc = nn.Linear(3, 5)

    def forward(self, x):
        return self.fc(self.layer1(x).mean(dim=(2, 3)))


def test_the_head_has_the_new_classes():
    """Four images, seven classes; the old head is gone."""
    model = Transfer(Small(), classes=7)

    assert_same(model(torch.ones(4, 2, 6, 8)).shape, torch.Size([4, 7]))
    assert_same([name for name, p in model.named_parameters() if "layer1" not in name], ["head.weight", "head.bias"])


def test_frozen_batch_norms_do_not_drift():
    """After train() and a batch, the running mean is still 0."""
    model = Transfer(Small(), classes=7)
    model.train()
    model(torch.ones(4, 2, 6, 8))

    assert model.training
    assert_same(model.backbone.layer1[1].running_mean, torch.zeros(3))


def test_only_the_head_is_trained():
    """7 * 3 weights and 7 biases."""
    model = Transfer(Small(), classes=7)

    assert_same([tuple(p.shape) for p in model.parameters() if p.requires_grad], [(7, 3), (7,)])


def test_each_part_has_its_rate():
    """Of the backbone, layer1 is trained now: a convolution and a batch norm have four parameters."""
    model = Transfer(Small(), classes=7)
    model.unfreeze("layer1")
    groups = model.groups(head_rate=0.5, body_rate=0.25)

    assert_same([(group["lr"], len(list(group["params"]))) for group in groups], [(0.5, 2), (0.25, 4)])
