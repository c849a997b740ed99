"""Visible tests for pick_device and to_device: pytest exercises/07_training -k ex04_devices"""

from collections import namedtuple

import pytest
import torch

from ex04_devices import pick_device, to_device

Batch = namedtuple("Batch", ["x", "name"])


def test_pick_device_takes_the_best_that_is_there():
    """cuda comes before mps, mps before cpu."""
    assert pick_device("auto", {"cuda": 1, "mps": 1}) == torch.device("cuda")
    assert pick_device("auto", {"mps": 1}) == torch.device("mps")
    assert pick_device("auto", {}) == torch.device("cpu")


def test_pick_device_never_gives_something_else_instead():
    """Who asks for a device that is missing gets a ValueError."""
    with pytest.raises(ValueError, match="cuda:2"):
        pick_device("cuda:2", {"cuda": 2})


def test_to_device_moves_tensors_and_leaves_the_rest():
    """The tensor moves, the text stays the same object."""
    moved = to_device(["label", (torch.ones(2), None)], "meta")

    assert moved[0] == "label"
    assert moved[1][0].device == torch.device("meta")
    assert moved[1][1] is None


def test_to_device_keeps_named_tuples():
    """A named tuple comes back as a named tuple."""
    moved = to_device(Batch(torch.ones(2), "first"), "meta")

    assert type(moved) is Batch
    assert moved.x.device == torch.device("meta") and moved.name == "first"


def test_to_device_returns_a_tensor_that_is_there_already():
    """No copy is made when there is nothing to move."""
    x = torch.ones(2)

    assert to_device(x, "cpu") is x
