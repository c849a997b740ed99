"""Visible tests for ChannelNorm: pytest exercises/12_vision -k batch_norm"""

import torch

from ex04_batch_norm import ChannelNorm
from torchdojo import assert_same

# Three images of two channels, one row and two columns. Channel 0: mean 6, variance 30 / 6 or 30 / 5. Channel 1 is twice as large.
IMAGES = torch.tensor([[[[2.0, 7.0]], [[8.0, 16.0]]], [[[7.0, 8.0]], [[16.0, 14.0]]], [[[8.0, 4.0]], [[14.0, 4.0]]]])


def test_all_pixels_of_a_channel_count():
    """With eps 4, the root of 5 + 4 is 3: (2 - 6) / 3, (7 - 6) / 3, ..."""
    norm = ChannelNorm(2, eps=4.0)

    assert_same(norm(IMAGES)[:, 0].detach(), torch.tensor([[[-4.0, 1.0]], [[1.0, 2.0]], [[2.0, -2.0]]]) / 3)


def test_running_statistics_move_by_momentum():
    """A quarter of the new ones, 6 and 12, and 6 and 24; the rest of 0 and 1."""
    norm = ChannelNorm(2, momentum=0.25)
    norm(IMAGES)

    assert_same(norm.running_mean, torch.tensor([1.5, 3.0]))
    assert_same(norm.running_var, torch.tensor([2.25, 6.75]))
    assert_same(norm.num_batches_tracked, torch.tensor(1))


def test_evaluation_uses_the_running_statistics():
    """(x - 1) / 2 * 10 + 7, whatever the batch is."""
    norm = ChannelNorm(1, eps=0.0)
    state = {"weight": [10.0], "bias": [7.0], "running_mean": [1.0], "running_var": [4.0]}
    norm.load_state_dict({name: torch.tensor(value) for name, value in state.items()} | {"num_batches_tracked": torch.tensor(9)})
    norm.eval()

    assert_same(norm(torch.tensor([[[[3.0, 5.0, 1.0]]]])).detach(), torch.tensor([[[[17.0, 27.0, 7.0]]]]))
    assert_same(norm.running_mean, torch.tensor([1.0]))
