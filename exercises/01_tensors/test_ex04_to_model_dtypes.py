"""Visible tests for to_model_dtypes: pytest exercises/01_tensors -k to_model_dtypes"""

import torch

from ex04_to_model_dtypes import to_model_dtypes
from torchdojo import assert_same


def test_floats_become_float32():
    """A float64 tensor comes back as float32."""
    got = to_model_dtypes({"x": torch.tensor([0.5, 2.0], dtype=torch.float64)})

    assert_same(got, {"x": torch.tensor([0.5, 2.0], dtype=torch.float32)})


def test_integers_become_int64():
    """Labels in uint8 come back as int64."""
    got = to_model_dtypes({"label": torch.tensor([0, 3], dtype=torch.uint8)})

    assert_same(got, {"label": torch.tensor([0, 3], dtype=torch.int64)})


def test_masks_stay_bool():
    """A mask is neither a number to compute with nor an index."""
    got = to_model_dtypes({"mask": torch.tensor([True, False]), "label": torch.tensor([1, 2])})

    assert_same(got, {"mask": torch.tensor([True, False]), "label": torch.tensor([1, 2])})


def test_the_given_dict_keeps_its_tensors():
    """The batch that was handed in still holds its float64 tensor."""
    batch = {"x": torch.tensor([0.5], dtype=torch.float64)}

    to_model_dtypes(batch)

    assert batch["x"].dtype is torch.float64
