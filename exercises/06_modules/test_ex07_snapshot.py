"""Visible tests for snapshot and restore_: pytest exercises/06_modules -k snapshot"""

import torch
from ex07_snapshot import restore_, snapshot
from torch import nn

from torchdojo import assert_same


def test_snapshot_does_not_follow_the_weights():
    """A later change of the layer does not reach the copy."""
    layer = nn.Linear(1, 1, bias=False)
    nn.init.ones_(layer.weight)
    saved = snapshot(layer)

    nn.init.zeros_(layer.weight)

    assert_same(saved["weight"], torch.tensor([[1.0]]))


def test_restore_brings_the_values_back():
    """After restore_ the weight is 1 again."""
    layer = nn.Linear(1, 1, bias=False)
    nn.init.ones_(layer.weight)
    saved = snapshot(layer)
    nn.init.zeros_(layer.weight)

    restore_(layer, saved)

    assert_same(layer.weight.detach(), torch.tensor([[1.0]]))


def test_restore_keeps_the_parameter_objects():
    """An optimizer that holds the weight must still hold it afterwards."""
    layer = nn.Linear(1, 1)
    weight = layer.weight

    restore_(layer, snapshot(layer))

    assert layer.weight is weight
