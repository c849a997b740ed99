"""Visible tests for make_batch, chat_loss and held_out_loss: pytest exercises/11_language_models -k chat_template"""

import torch
from torch import nn
from torch.nn import functional as F

from ex11_chat_template import BOT, USER, chat_loss, held_out_loss, make_batch
from torchdojo import assert_same

CHATS = [[(USER, [10, 11]), (BOT, [12])], [(USER, [13]), (BOT, [14, 15, 16])]]


def test_each_chat_begins_once():
    """A chat has one BOS, with padding before it in the shorter chat."""
    tokens, _, _ = make_batch(CHATS)

    assert_same(tokens, torch.tensor([[0, 1, 2, 10, 11, 4, 3, 12, 4], [1, 2, 13, 4, 3, 14, 15, 16, 4]]))


def test_only_answers_are_learned():
    """The labels are the words of BOT, and END after them."""
    _, labels, _ = make_batch(CHATS)

    assert_same([[label for label in row if label != -100] for row in labels.tolist()], [[12, 4], [14, 15, 16, 4]])


class Copies(nn.Module):
    """Knows every label; at positions that aren't attended, it would be wrong."""

    def __init__(self, labels):
        super().__init__()
        self.labels, self.drop = labels, nn.Dropout(0.5)

    def forward(self, tokens, attend=None):
        right = 50 * F.one_hot(self.labels.clamp(min=0), 20).float()
        return self.drop(right) if attend is not None else -right


LABELS = torch.tensor([[-100, 10, 11, -100, 12]])


def test_labels_are_not_shifted_again():
    """A model that knows the labels has a loss of 0."""
    loss = chat_loss(Copies(LABELS).eval(), torch.zeros(1, 5, dtype=torch.int64), LABELS, torch.ones(1, 5, dtype=torch.bool))

    assert_same(loss, torch.tensor(0.0))


def test_a_held_out_loss_has_no_dropout():
    """The same model has a loss of 0 here, too."""
    loss = held_out_loss(Copies(LABELS), torch.zeros(1, 5, dtype=torch.int64), LABELS, torch.ones(1, 5, dtype=torch.bool))

    assert_same(loss, 0.0)
