"""Visible tests for TiedModel and next_token_loss: pytest exercises/10_attention -k next_token_loss"""

import torch
from torch import nn

from ex07_next_token_loss import TiedModel, next_token_loss
from torchdojo import assert_same


def test_logits_are_dot_products_with_the_embedding():
    """The body doubles row 1; its dot products are the logits."""
    model = TiedModel(3, 2, nn.Linear(2, 2, bias=False))
    with torch.no_grad():
        model.embedding.weight.copy_(torch.tensor([[1.0, 0.0], [1.0, 2.0], [0.0, 3.0]]))
        model.body.weight.copy_(torch.tensor([[2.0, 0.0], [0.0, 2.0]]))

    assert_same(model(torch.tensor([[1]])).detach(), torch.tensor([[[2.0, 10.0, 12.0]]]))


def test_there_is_one_shared_parameter():
    """An identity has no parameters, so one is all there is."""
    model = TiedModel(3, 2, nn.Identity())

    assert_same([tuple(p.shape) for p in model.parameters()], [(3, 2)])


def test_the_gradient_comes_from_both_ends():
    """The loss is the square of a row: its gradient is twice the row."""
    model = TiedModel(1, 2, nn.Identity())
    with torch.no_grad():
        model.embedding.weight.copy_(torch.tensor([[1.0, 3.0]]))

    model(torch.tensor([[0]])).sum().backward()

    assert_same(model.embedding.weight.grad, torch.tensor([[2.0, 6.0]]))


def test_each_position_predicts_the_next_token():
    """Sure of the next token at each position: almost no loss."""
    logits = torch.tensor([[[0.0, 50.0], [50.0, 0.0], [0.0, 0.0]]])

    assert_same(next_token_loss(logits, torch.tensor([[0, 1, 0]])), torch.tensor(0.0))


def test_padding_does_not_count():
    """One target is left: two equal logits cost log 2."""
    logits = torch.zeros(1, 3, 2)

    assert_same(next_token_loss(logits, torch.tensor([[0, 1, -100]])), torch.tensor(0.6931472))
