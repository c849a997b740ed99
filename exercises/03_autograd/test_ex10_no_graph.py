"""Visible tests for no_graph: pytest exercises/03_autograd -k no_graph"""

import torch
from torch import nn

from ex10_no_graph import frozen_features, predict
from torchdojo import assert_same


def test_dropout_is_off_while_predicting():
    """Dropout passes its input through, and is back in train mode after."""
    model = nn.Dropout(0.5)

    got = predict(model, torch.tensor([1.0, 2.0, 3.0, 4.0]))

    assert_same(got, torch.tensor([1.0, 2.0, 3.0, 4.0]))
    assert model.training


def test_prediction_has_no_graph():
    """The result does not require grad, though the weights do."""
    model = nn.Linear(2, 1)

    got = predict(model, torch.tensor([[1.0, 2.0]]))

    assert not got.requires_grad
    assert model.weight.requires_grad


def test_a_model_in_eval_mode_stays_there():
    """A model that was in eval mode before is in eval mode afterwards."""
    model = nn.Sequential(nn.Linear(1, 1), nn.Dropout(0.5)).eval()

    frozen_features(model, torch.tensor([[1.0]]))

    assert not model.training and not model[1].training


def test_head_learns_from_features():
    """The gradient for the head's weight is the feature itself."""
    backbone, head = nn.Linear(1, 1), nn.Linear(1, 1)

    features = frozen_features(backbone, torch.tensor([[3.0]]))
    head(features).sum().backward()

    assert_same(head.weight.grad, features)
    assert backbone.weight.grad is None
