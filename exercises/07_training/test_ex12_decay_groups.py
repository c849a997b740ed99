"""Visible tests for decay_groups: pytest exercises/07_training -k decay_groups"""

import torch
from torch import nn

from ex12_decay_groups import decay_groups
from torchdojo import assert_same


def shapes(group: dict) -> list:
    """The shapes of a group's parameters."""
    return [tuple(p.shape) for p in group["params"]]


def test_the_weight_of_a_linear_layer_decays():
    """The weight is in the first group, the bias in the second."""
    decayed, others = decay_groups(nn.Linear(2, 3), 0.1)

    assert_same(shapes(decayed), [(3, 2)])
    assert_same(shapes(others), [(3,)])


def test_nothing_of_a_norm_layer_decays():
    """Its weight and its bias have one axis: both are in the second group."""
    decayed, others = decay_groups(nn.Sequential(nn.LayerNorm(4), nn.Linear(4, 2, bias=False)), 0.1)

    assert_same(shapes(decayed), [(2, 4)])
    assert_same(shapes(others), [(4,), (4,)])


def test_an_optimizer_takes_the_groups():
    """AdamW decays the first group by 0.1 and the second not at all."""
    opt = torch.optim.AdamW(decay_groups(nn.Linear(2, 3), 0.1), lr=0.01)

    assert_same([group["weight_decay"] for group in opt.param_groups], [0.1, 0.0])
