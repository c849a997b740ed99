"""Visible tests for attend: pytest exercises/10_attention -k attend"""

import torch

from ex02_attend import attend
from torchdojo import assert_same


def test_equal_scores_give_equal_weights():
    """A query of zeros has the score 0 with each of the four keys."""
    q, k = torch.zeros(1, 1, 2), torch.tensor([[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]])

    _, weights = attend(q, k, torch.zeros(1, 4, 3))

    assert_same(weights, torch.tensor([[[0.25, 0.25, 0.25, 0.25]]]))


def test_scores_are_divided_by_the_root_of_the_width():
    """Width 4: the scores 0 and 2 become 0 and 1."""
    q = torch.tensor([[[1.0, 1.0, 0.0, 0.0]]])
    k = torch.tensor([[[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]]])

    _, weights = attend(q, k, torch.zeros(1, 2, 1))

    assert_same(weights, torch.tensor([[[0.26894143, 0.73105860]]]))


def test_the_result_is_a_weighted_mean_of_the_values():
    """The first query weighs both values alike, the second reads the last."""
    q, k = torch.tensor([[[0.0], [2.0]]]), torch.tensor([[[0.0], [20.0]]])

    result, _ = attend(q, k, torch.tensor([[[10.0, 1.0], [20.0, 3.0]]]))

    assert_same(result, torch.tensor([[[15.0, 2.0], [20.0, 3.0]]]))
