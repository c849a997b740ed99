"""Visible tests for sample_weights and weighted_sampler: pytest exercises/09_data -k balanced_sampler"""

import torch

from ex07_balanced_sampler import sample_weights, weighted_sampler
from torchdojo import assert_same


def test_each_sample_has_the_weight_of_its_class():
    """Four samples of class 0 have a quarter each, the one of class 1 has 1."""
    got = sample_weights(torch.tensor([0, 1, 0, 0, 0]))

    assert_same(got, torch.tensor([0.25, 1.0, 0.25, 0.25, 0.25]))


def test_a_large_weight_is_drawn_more_often():
    """Weights 1 and 3: about a quarter of 400 draws is index 0."""
    drawn = list(weighted_sampler(torch.tensor([1.0, 3.0]), 400, torch.Generator().manual_seed(0)))

    assert 60 < drawn.count(0) < 140


def test_the_sampler_gives_as_many_indices_as_asked_for():
    """Two of five, and len says so."""
    sampler = weighted_sampler(torch.tensor([0.25, 1.0, 0.25, 0.25, 0.25]), 2, torch.Generator().manual_seed(0))

    assert_same([len(sampler), len(list(sampler))], [2, 2])
