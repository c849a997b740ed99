"""Visible tests for evaluate: pytest exercises/07_training -k evaluate"""

import pytest
import torch
from torch import nn
from torch.nn.functional import cross_entropy

from ex03_evaluate import evaluate
from torchdojo import assert_same


def scores_are_inputs() -> nn.Linear:
    """A classifier with three classes whose scores are its inputs."""
    model = nn.Linear(3, 3, bias=False)
    model.load_state_dict({"weight": torch.eye(3)})
    return model


def test_evaluate_counts_right_answers_over_all_samples():
    """Three right answers out of four, in batches of three and one."""
    loader = [
        (torch.tensor([[9.0, 0.0, 1.0], [0.0, 9.0, 1.0], [0.0, 1.0, 9.0]]), torch.tensor([0, 1, 2])),
        (torch.tensor([[9.0, 0.0, 1.0]]), torch.tensor([2])),
    ]

    loss, accuracy = evaluate(scores_are_inputs(), loader, cross_entropy)

    assert_same(accuracy, 0.75)


def test_evaluate_flattens_a_column_of_labels():
    """Labels of shape (3, 1) mean the same as labels of shape (3,)."""
    x = torch.tensor([[9.0, 0.0, 1.0], [0.0, 9.0, 1.0], [0.0, 1.0, 9.0]])

    loss, accuracy = evaluate(scores_are_inputs(), [(x, torch.tensor([[0], [1], [2]]))], cross_entropy)

    assert_same(accuracy, 1.0)


def test_evaluate_switches_dropout_off_and_the_mode_back_on():
    """With dropout of everything, only evaluation mode finds the answer."""
    model = nn.Sequential(scores_are_inputs(), nn.Dropout(1.0))

    loss, accuracy = evaluate(model, [(torch.tensor([[0.0, 9.0, 1.0]]), torch.tensor([1]))], cross_entropy)

    assert_same(accuracy, 1.0)
    assert model.training and model[1].training


def test_evaluate_leaves_a_frozen_layer_frozen():
    """A layer that was in evaluation mode is still in evaluation mode."""
    model = nn.Sequential(scores_are_inputs(), nn.Dropout(0.5))
    model[1].eval()

    evaluate(model, [(torch.tensor([[0.0, 9.0, 1.0]]), torch.tensor([1]))], cross_entropy)

    assert model.training and not model[1].training


def test_evaluate_refuses_a_loader_without_batches():
    """There is no mean of nothing: ValueError."""
    with pytest.raises(ValueError):
        evaluate(scores_are_inputs(), [], cross_entropy)
