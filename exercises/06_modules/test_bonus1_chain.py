"""Visible tests for Chain: pytest exercises/06_modules -k chain"""

import pytest
import torch
from bonus1_chain import Chain
from torch import nn

from torchdojo import assert_same


def test_modules_run_one_after_another():
    """ReLU turns (1, -2) into (1, 0), Flatten drops the extra axis."""
    chain = Chain(nn.ReLU(), nn.Flatten(0))

    assert_same(chain(torch.tensor([[1.0, -2.0]])), torch.tensor([1.0, 0.0]))


def test_parameters_are_named_by_place():
    """The layers at positions 0 and 2 own the parameters."""
    chain = Chain(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))

    assert list(chain.state_dict()) == ["0.weight", "0.bias", "2.weight", "2.bias"]


def test_indexing_gives_the_module_itself():
    """Indices count from both ends, and there is an end."""
    first, last = nn.ReLU(), nn.Tanh()
    chain = Chain(first, last)

    assert chain[0] is first
    assert chain[-1] is last
    with pytest.raises(IndexError):
        chain[2]


def test_slice_is_a_shorter_chain():
    """chain[1:] has the last two of three modules."""
    first, second, third = nn.ReLU(), nn.Tanh(), nn.Sigmoid()

    part = Chain(first, second, third)[1:]

    assert isinstance(part, Chain)
    assert len(part) == 2
    assert part[0] is second
