"""Visible tests for rotate: pytest exercises/10_attention -k rotary"""

import torch

from bonus1_rotary import rotate
from torchdojo import assert_same


def test_position_zero_stays():
    """An angle of 0 changes nothing."""
    x = torch.tensor([[1.0, 2.0, 3.0, 4.0]])

    assert_same(rotate(x, torch.tensor([0])), x)


def test_one_pair_turns_by_its_position():
    """One pair: position 2 turns it by 2 radians."""
    got = rotate(torch.tensor([[1.0, 0.0]]), torch.tensor([2]))

    assert_same(got, torch.tensor([[-0.41614684, 0.90929743]]))


def test_later_pairs_turn_more_slowly():
    """Base 100, width 4: the second pair turns by a tenth."""
    got = rotate(torch.tensor([[1.0, 0.0, 1.0, 0.0]]), torch.tensor([1]), base=100.0)

    assert_same(got, torch.tensor([[0.54030231, 0.84147098, 0.99500417, 0.09983342]]))


def test_dot_products_depend_on_the_distance():
    """Positions 5 and 3 give the dot product of 2 and 0."""
    q, k = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, -1.0]])

    def score(at_q, at_k):
        return (rotate(q, torch.tensor([at_q])) * rotate(k, torch.tensor([at_k]))).sum()

    assert_same(score(5, 3), score(2, 0))
