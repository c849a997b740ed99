"""Visible tests for Dropout: pytest exercises/06_modules -k dropout"""

import torch
from ex05_dropout import Dropout

from torchdojo import assert_same


def test_training_gives_zeros_and_scaled_values():
    """With p = 0.5 every 3 becomes 0 or 6."""
    got = Dropout(0.5)(torch.full((1000,), 3.0))

    assert_same(sorted(got.unique().tolist()), [0.0, 6.0])


def test_eval_changes_nothing():
    """In eval mode the values stay as they are."""
    x = torch.tensor([1.0, -2.0, 3.0])

    assert_same(Dropout(0.5).eval()(x), x)
