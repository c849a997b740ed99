"""Visible tests for the character model: pytest exercises/10_attention -k char_model"""

import torch
from torch import nn

from ex10_char_model import CharModel, mean_loss, generate, train_model
from torchdojo import assert_same


class Counting(nn.Module):
    """Sure that 2 follows 1, and so on."""

    context = 4

    def forward(self, tokens):
        return nn.functional.one_hot((tokens + 1) % 10, 10) * 1000.0


def test_a_later_token_changes_no_earlier_logit():
    """If the last of three tokens changes, the first two logits stay."""
    torch.manual_seed(0)
    model = CharModel(5, context=4, width=8, heads=2, depth=1).eval()

    one, other = model(torch.tensor([[1, 2, 3]])), model(torch.tensor([[1, 2, 0]]))

    assert_same(tuple(one.shape), (1, 3, 5))
    assert_same(one[:, :2].detach(), other[:, :2].detach())


def test_evaluation_covers_the_text():
    """A model that gives 0 for each logit guesses one of three: log 3."""
    table = nn.Embedding(3, 3, _weight=torch.zeros(3, 3))
    table.context = 2

    assert_same(mean_loss(table, torch.tensor([0, 1, 2, 0, 1])), 1.0986123)
    assert table.training


def test_training_begins_with_the_loss_of_the_model():
    """One step: its loss is log 3, and so is the held-out loss."""
    table = nn.Embedding(3, 3, _weight=torch.zeros(3, 3))
    table.context = 2
    text = torch.tensor([0, 1, 2])

    assert_same(train_model(table, text, text, steps=1, batch=4, lr=0.1), ([1.0986123], [1.0986123]))


def test_training_beats_every_bigram_model():
    """After 50 steps the held-out loss is at most 0.8; bigrams allow 1.1."""
    torch.manual_seed(0)
    model = CharModel(3, context=6, width=32, heads=4, depth=1)
    text = torch.tensor([0, 0, 1, 0, 2, 1, 1, 2, 2] * 6)
    generator = torch.Generator().manual_seed(0)

    _, held_out_losses = train_model(model, text, text.roll(4), steps=50, batch=16, lr=0.02, generator=generator)

    assert len(held_out_losses) == 6
    assert min(held_out_losses) <= 0.8


def test_new_tokens_follow_the_last_one():
    """A model that counts: 5, then 6, 7, 8."""
    assert_same(generate(Counting(), torch.tensor([5]), 3), torch.tensor([5, 6, 7, 8]))


def test_the_model_sees_its_context_alone():
    """Six tokens and a context of four: the model gets the last four."""
    seen = []

    class Watching(Counting):
        def forward(self, tokens):
            seen.append(tokens.tolist())
            return super().forward(tokens)

    generate(Watching(), torch.tensor([1, 2, 3, 4, 5, 6]), 1)

    assert_same(seen, [[[3, 4, 5, 6]]])
