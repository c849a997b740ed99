"""Visible tests for the loss objects: pytest exercises/07_training -k criteria"""

import math

import torch
from torch import nn

from intro1_criteria import loss_of, make_criterion, sample_losses
from torchdojo import assert_same


def test_regression_has_the_mean_squared_error():
    """The errors are 0 and 2, so the mean of their squares is 2."""
    criterion = make_criterion("regression")

    assert_same(criterion(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0])), torch.tensor(2.0))


def test_classification_has_the_cross_entropy():
    """Equal scores for four classes give log 4."""
    criterion = make_criterion("classification")

    assert_same(criterion(torch.zeros(3, 4), torch.tensor([0, 1, 3])), torch.tensor(4.0).log())


def test_the_loss_of_a_model():
    """The model doubles 3, and 6 is 4 too little: the loss is 16."""
    model = nn.Linear(1, 1, bias=False)
    nn.init.constant_(model.weight, 2.0)

    loss = loss_of(nn.MSELoss(), model, torch.tensor([[3.0]]), torch.tensor([[10.0]]))

    assert_same(loss.detach(), torch.tensor(16.0))
    assert loss.requires_grad


def test_each_sample_has_a_loss():
    """exp(log 2) is 2: probabilities 1/2, 1/4, 1/4, then three times 1/3."""
    scores = torch.tensor([[math.log(2.0), 0.0, 0.0], [0.0, 0.0, 0.0]])

    assert_same(sample_losses(scores, torch.tensor([1, 2])), torch.tensor([4.0, 3.0]).log())
