"""Visible tests for evaluate: pytest exercises/07_training -k evaluate"""

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


def test_evaluate_weights_each_batch_by_its_samples():
    """Three samples with the loss 4 and one with the loss 0 have the mean 3."""
    loader = [(torch.full((3, 3), 2.0), torch.tensor([0, 1, 2])), (torch.zeros(1, 3), torch.tensor([0]))]

    loss, accuracy = evaluate(scores_are_inputs(), loader, lambda scores, labels: (scores**2).mean())

    assert_same(loss, 3.0)


def test_evaluate_switches_dropout_off():
    """With dropout of everything, only evaluation mode finds the answer."""
    model = nn.Sequential(scores_are_inputs(), nn.Dropout(1.0))

    loss, accuracy = evaluate(model, [(torch.tensor([[0.0, 9.0, 1.0]]), torch.tensor([1]))], cross_entropy)

    assert_same(accuracy, 1.0)


def test_evaluate_builds_no_graph():
    """The scores that loss_fn gets do not require grad."""
    seen = []

    def loss_fn(scores, labels):
        seen.append(scores.requires_grad)
        return scores.mean()

    evaluate(scores_are_inputs(), [(torch.tensor([[0.0, 9.0, 1.0]]), torch.tensor([1]))], loss_fn)

    assert set(seen) == {False}
