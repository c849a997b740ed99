"""Visible tests for validation_loss: pytest exercises/08_debugging -k leaky_eval"""

import pytest
import torch
from torch import nn
from torch.nn.functional import mse_loss

from ex07_leaky_eval import validation_loss
from torchdojo import assert_same


def test_dropout_is_off_and_each_sample_counts_the_same():
    """Squares 1, 1 and 16 of three samples have the mean 6."""
    loader = [(torch.ones(2, 1), torch.zeros(2, 1)), (torch.full((1, 1), 4.0), torch.zeros(1, 1))]

    got = validation_loss(nn.Dropout(0.5), loader, mse_loss)

    assert_same(got, 6.0)


def test_batch_norm_does_not_learn_from_validation_data():
    """The running mean is 0 before and after."""
    model = nn.BatchNorm1d(1)

    validation_loss(model, [(torch.full((2, 1), 5.0), torch.zeros(2, 1))], mse_loss)

    assert_same(model.running_mean, torch.tensor([0.0]))


def test_every_part_is_back_in_its_own_mode():
    """The whole is in train mode again, its frozen part in eval mode."""
    model = nn.Sequential(nn.BatchNorm1d(1), nn.Dropout(0.5))
    model[0].eval()

    validation_loss(model, [(torch.ones(2, 1), torch.zeros(2, 1))], mse_loss)

    assert [model.training, model[0].training, model[1].training] == [True, False, True]


def test_no_graph_is_built():
    """The predictions that the loss function sees need no gradient."""
    seen = []

    def spy(prediction, target):
        seen.append(prediction.requires_grad)
        return mse_loss(prediction, target)

    validation_loss(nn.Linear(1, 1), [(torch.ones(2, 1), torch.zeros(2, 1))], spy)

    assert seen == [False]


def test_no_batches_is_an_error():
    """A mean over nothing does not exist."""
    with pytest.raises(ValueError):
        validation_loss(nn.Linear(1, 1), [], mse_loss)
