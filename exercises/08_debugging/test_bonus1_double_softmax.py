"""Visible tests for SmallClassifier and its loss: pytest exercises/08_debugging -k double_softmax"""

import torch

from bonus1_double_softmax import SmallClassifier, class_probabilities, labels_loss
from torchdojo import assert_same


def test_sure_and_right_costs_nothing():
    """Logit 1000 for the right class: the loss is 0."""
    model = SmallClassifier(1, 1, 2)
    with torch.no_grad():
        model.fc1.weight.fill_(1.0)
        model.fc1.bias.zero_()
        model.fc2.weight.copy_(torch.tensor([[1000.0], [0.0]]))
        model.fc2.bias.zero_()

    loss = labels_loss(model, torch.tensor([[1.0]]), torch.tensor([0]))

    assert_same(loss.detach(), torch.tensor(0.0))


def test_forward_returns_logits():
    """All weights 0: the logits are the last bias."""
    model = SmallClassifier(1, 1, 2)
    for parameter in model.parameters():
        torch.nn.init.zeros_(parameter)
    torch.nn.init.constant_(model.fc2.bias, 3.0)

    assert_same(model(torch.tensor([[1.0]])).detach(), torch.tensor([[3.0, 3.0]]))


def test_labels_may_be_floats():
    """The same labels as float32 and as int64 give the same loss."""
    logits = torch.tensor([[2.0, 0.0], [0.0, 5.0]])

    got = labels_loss(torch.nn.Identity(), logits, torch.tensor([0.0, 1.0]))

    assert_same(got, labels_loss(torch.nn.Identity(), logits, torch.tensor([0, 1])))


def test_probabilities_sum_to_one():
    """Equal logits share 1 between the classes."""
    got = class_probabilities(torch.nn.Identity(), torch.tensor([[7.0, 7.0]]))

    assert_same(got, torch.tensor([[0.5, 0.5]]))
