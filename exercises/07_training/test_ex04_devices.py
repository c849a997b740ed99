"""Visible tests for pick_device and to_device: pytest exercises/07_training -k ex04_devices"""

import pytest
import torch

from ex04_devices import pick_device, to_device


def test_pick_device_takes_the_best_that_is_there():
    """cuda comes before mps, mps before cpu."""
    assert pick_device("auto", {"cuda": 1, "mps": 1}) == torch.device("cuda")
    assert pick_device("auto", {"mps": 1}) == torch.device("mps")
    assert pick_device("auto", {}) == torch.device("cpu")


def test_pick_device_gives_what_was_asked_for():
    """A kind that is there gives exactly that device."""
    assert pick_device("mps", {"cuda": 1, "mps": 1}) == torch.device("mps")
    assert pick_device("cpu", {"cuda": 1}) == torch.device("cpu")


def test_pick_device_never_gives_something_else_instead():
    """If you ask for a device that is missing, you get a ValueError."""
    with pytest.raises(ValueError, match="cuda"):
        pick_device("cuda", {"cuda": 0, "mps": 1})


def test_to_device_moves_tensors_and_leaves_the_rest():
    """The tensor moves, the text and None stay."""
    moved = to_device(["label", (torch.ones(2), None)], "meta")

    assert moved[0] == "label"
    assert moved[1][0].device == torch.device("meta")
    assert moved[1][1] is None


def test_to_device_leaves_the_callers_batch_alone():
    """The dict that was passed in still has its own tensor."""
    batch = {"x": torch.ones(2), "id": 7}

    moved = to_device(batch, "meta")

    assert moved["x"].device == torch.device("meta") and moved["id"] == 7
    assert batch["x"].device == torch.device("cpu")
