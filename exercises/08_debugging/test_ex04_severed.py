"""Visible tests for TwoStageScorer and penalised_loss: pytest exercises/08_debugging -k severed"""

import torch

from ex04_severed import TwoStageScorer, penalised_loss
from torchdojo import assert_same


def test_every_parameter_gets_a_gradient():
    """After backward no parameter of the scorer has grad None."""
    model = TwoStageScorer(3, 4)

    penalised_loss(model, torch.ones(5, 3), torch.ones(5, 1), strength=0.1).backward()

    missing = [name for name, parameter in model.named_parameters() if parameter.grad is None]
    assert missing == []


def test_encoder_learns_from_its_score():
    """The gradient goes back through tanh, whose derivative at 0 is 1."""
    model = TwoStageScorer(1, 1)
    for parameter in model.parameters():
        torch.nn.init.zeros_(parameter)
    torch.nn.init.ones_(model.head.weight)

    model(torch.tensor([[2.0]])).sum().backward()

    assert_same(model.encoder.weight.grad, torch.tensor([[2.0]]))


def test_both_parts_of_the_loss_give_gradients():
    """Error 4 and penalty 0.5: the gradients -4 and 1 add up to -3."""
    model = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.ones_(model.weight)

    loss = penalised_loss(model, torch.tensor([[1.0]]), torch.tensor([[3.0]]), strength=0.5)
    loss.backward()

    assert_same(loss.detach(), torch.tensor(4.5))
    assert_same(model.weight.grad, torch.tensor([[-3.0]]))
