"""Visible tests for rarest: pytest exercises/01_counts -k rarest"""

import torch

from bonus1_rarest import rarest
from torchdojo import assert_same


def test_the_two_rarest_words():
    """`sat` and `mat` occur twice."""
    assert_same(rarest(2), torch.tensor([2, 3]))
