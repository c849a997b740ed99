"""Visible tests for microbatch_grads: pytest exercises/03_autograd -k microbatch_grads"""

import torch
from torch import nn

from ex07_microbatch_grads import microbatch_grads
from torchdojo import assert_same


def mean_output(prediction, target):
    """The mean prediction: its gradient for the weight is the mean of X."""
    return (prediction + 0 * target).mean()


def test_uneven_pieces_weigh_by_their_rows():
    """The rows 1, 2, 6 have the mean 3, however they are cut."""
    model = nn.Linear(1, 1, bias=False)
    X = torch.tensor([[1.0], [2.0], [6.0]])

    microbatch_grads(model, mean_output, X, torch.zeros(3, 1), [2, 1])

    assert_same(model.weight.grad, torch.tensor([[3.0]]))


def test_old_gradients_are_gone():
    """An old gradient is not added."""
    model = nn.Linear(1, 1, bias=False)
    model.weight.grad = torch.tensor([[100.0]])
    X = torch.tensor([[2.0], [4.0]])

    microbatch_grads(model, mean_output, X, torch.zeros(2, 1), [1, 1])

    assert_same(model.weight.grad, torch.tensor([[3.0]]))
