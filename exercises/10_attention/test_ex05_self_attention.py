"""Visible tests for SelfAttention: pytest exercises/10_attention -k self_attention"""

import torch

from ex05_self_attention import SelfAttention
from torchdojo import assert_same


def values_only(width, heads):
    """A layer whose scores are all 0, whose values are x, and whose last projection changes nothing."""
    layer = SelfAttention(width, heads)
    unit = torch.eye(width)
    layer.load_state_dict({
        "qkv.weight": torch.cat([torch.zeros(2 * width, width), unit]),
        "qkv.bias": torch.zeros(3 * width),
        "out.weight": unit,
        "out.bias": torch.zeros(width),
    })
    return layer.requires_grad_(False)


def test_parameters_have_these_names_and_shapes():
    """Two linear layers: qkv and out."""
    found = {name: tuple(p.shape) for name, p in SelfAttention(4, 2).named_parameters()}

    assert found == {"qkv.weight": (12, 4), "qkv.bias": (12,), "out.weight": (4, 4), "out.bias": (4,)}


def test_equal_scores_give_the_mean_over_time():
    """All scores are 0, so each position reads the mean of x."""
    x = torch.tensor([[[1.0, 2.0, 3.0, 4.0], [3.0, 4.0, 5.0, 6.0]]])

    assert_same(values_only(4, 2)(x), torch.tensor([[[2.0, 3.0, 4.0, 5.0], [2.0, 3.0, 4.0, 5.0]]]))


def test_a_causal_mask_hides_later_positions():
    """The first position reads itself alone."""
    x = torch.tensor([[[1.0, 2.0, 3.0, 4.0], [3.0, 4.0, 5.0, 6.0]]])
    mask = torch.tensor([[True, False], [True, True]])

    assert_same(values_only(4, 2)(x, mask), torch.tensor([[[1.0, 2.0, 3.0, 4.0], [2.0, 3.0, 4.0, 5.0]]]))


def test_each_sequence_has_its_own_mask():
    """Two sequences and two heads; in each sequence one position is read."""
    x = torch.tensor([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]])
    mask = torch.tensor([[[True, False], [True, False]], [[False, True], [False, True]]])

    assert_same(values_only(2, 2)(x, mask), torch.tensor([[[1.0, 2.0], [1.0, 2.0]], [[7.0, 8.0], [7.0, 8.0]]]))
