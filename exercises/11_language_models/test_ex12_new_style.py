"""Visible tests for the project: pytest exercises/11_language_models -k new_style"""

import torch
from torch import nn

from ex12_new_style import adapters_alone, add_adapters, teach, without_adapters
from given.lighthouse import diary_writer, encode
from torchdojo import assert_same


def example():
    """The layer adds its two inputs. The change is 1 * 1 for each input, scaled by 6 / 1."""
    model = nn.Sequential(nn.Linear(2, 1, bias=False))
    nn.init.ones_(model[0].weight)
    add_adapters(model, rank=1, alpha=6.0)
    for p in model.parameters():
        if p.requires_grad:
            nn.init.ones_(p)
    return model


def test_a_model_with_adapters_starts_as_it_was():
    """b is zero, so the logits are the same."""
    tokens = encode("On Monday the wind")[None]
    before = diary_writer()(tokens)
    model = diary_writer()

    add_adapters(model, rank=2, alpha=4.0)

    assert_same(model(tokens).detach(), before.detach())


def test_the_change_is_scaled():
    """10 + 5 from the layer, and 6 * (10 + 5) from its adapter."""
    assert_same(example()(torch.tensor([10.0, 5.0])).detach(), torch.tensor([105.0]))


def test_only_adapters_are_kept():
    """Two numbers in a, one in b."""
    assert_same(sorted(tuple(value.shape) for value in adapters_alone(example()).values()), [(1, 1), (1, 2)])


def test_without_adapters_it_is_a_plain_model():
    """1 + 6 for each input, under the name that the weight had."""
    model = without_adapters(example())

    assert_same({name: value.tolist() for name, value in model.state_dict().items()}, {"0.weight": [[7.0, 7.0]]})


class Pairs(nn.Module):
    """A bigram model that is sure that 1 follows 0, and 0 follows 1."""

    context = 3

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([[0.0, 5.0, 0.0], [5.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))

    def forward(self, tokens):
        return self.weight[tokens]

    def mean_loss(self, tokens):
        return nn.functional.cross_entropy(self.weight[tokens[:-1]], tokens[1:]).item()


def test_it_learns_the_new_text_and_remembers_the_old_one():
    """1 follows 0 in the old text, 2 in the new one: both stay likely."""
    model, old, new = Pairs(), torch.tensor([0, 1] * 6), torch.tensor([0, 2] * 6)

    teach(model, (old, old), (new, new), steps=100, batch=8, lr=0.1)

    assert model.mean_loss(new) <= 0.6
    assert model.mean_loss(old) <= 0.6
