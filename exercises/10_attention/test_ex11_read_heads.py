"""Visible tests for reading the heads: pytest exercises/10_attention -k read_heads"""

import torch

from ex11_read_heads import mean_distance, most_read
from torchdojo import assert_same


def test_each_query_has_its_word():
    """The largest weight of each row: in columns 0, 0 and 2."""
    weights = torch.tensor([[[0.5, 0.3, 0.2], [0.6, 0.1, 0.3], [0.1, 0.2, 0.7]]])

    assert_same(most_read(weights, ["the", "cat", "saw"]), [["the", "the", "saw"]])


def test_each_head_has_its_own_words():
    """Two heads, one query: the heads read different words."""
    weights = torch.tensor([[[0.9, 0.1]], [[0.2, 0.8]]])

    assert_same(most_read(weights, ["the", "cat"]), [["the"], ["cat"]])


def test_a_head_that_reads_a_neighbor_has_the_distance_1():
    """The first head reads the query's own position."""
    own = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    neighbor = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]

    assert_same(mean_distance(torch.tensor([own, neighbor])), torch.tensor([0.0, 1.0]))


def test_distances_are_weighted():
    """Two steps with a weight of 0.5 count as one, and the other queries add 0: the mean is 1 / 3."""
    weights = torch.tensor([[[0.5, 0.0, 0.5], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]])

    assert_same(mean_distance(weights), torch.tensor([1 / 3]))
