"""Visible tests for validation_loss: pytest exercises/08_debugging -k leaky_eval"""

import torch
from torch import nn
from torch.nn.functional import mse_loss

from ex07_leaky_eval import validation_loss
from torchdojo import assert_same


def test_dropout_is_off_and_each_sample_counts_the_same():
    """Squares 1, 1 and 16 of three samples have the mean 6."""
    loader = [(torch.ones(2, 1), torch.zeros(2, 1)), (torch.full((1, 1), 4.0), torch.zeros(1, 1))]
    torch.manual_seed(0)  # so that dropout, if it is on, drops the same numbers each time

    got = validation_loss(nn.Dropout(0.5), loader, mse_loss)

    assert_same(got, 6.0)


def test_batch_norm_does_not_learn_from_validation_data():
    """The running mean is 0 before and after."""
    model = nn.BatchNorm1d(1)

    validation_loss(model, [(torch.full((2, 1), 5.0), torch.zeros(2, 1))], mse_loss)

    assert_same(model.running_mean, torch.tensor([0.0]))


def test_model_is_in_the_same_mode_afterwards():
    """In train mode before, in train mode after; and the same with eval mode."""
    training, evaluating = nn.Dropout(0.5), nn.Dropout(0.5).eval()
    torch.manual_seed(0)

    for_training = validation_loss(training, [(torch.ones(2, 1), torch.zeros(2, 1))], mse_loss)
    for_evaluating = validation_loss(evaluating, [(torch.ones(2, 1), torch.zeros(2, 1))], mse_loss)

    assert [training.training, evaluating.training] == [True, False]
    assert_same([for_training, for_evaluating], [1.0, 1.0])


def test_no_graph_is_built():
    """The predictions that the loss function sees need no gradient."""
    seen = []

    def spy(prediction, target):
        seen.append(prediction.requires_grad)
        return mse_loss(prediction, target)

    validation_loss(nn.Linear(1, 1), [(torch.ones(2, 1), torch.zeros(2, 1))], spy)

    assert seen == [False]
