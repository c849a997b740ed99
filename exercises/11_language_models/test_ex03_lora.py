"""Visible tests for LoRALinear and adapter_state: pytest exercises/11_language_models -k lora"""

import torch
from torch import nn

from ex03_lora import LoRALinear, adapter_state
from torchdojo import assert_same


def example():
    """The base adds its two inputs, plus 1. The change is 3 times the first input, scaled by 4 / 2."""
    base = nn.Linear(2, 1)
    with torch.no_grad():
        base.weight.copy_(torch.tensor([[1.0, 1.0]]))
        base.bias.copy_(torch.tensor([1.0]))
    module = LoRALinear(base, rank=2, alpha=4.0)
    with torch.no_grad():
        module.a.copy_(torch.tensor([[1.0, 0.0], [0.0, 1.0]]))
        module.b.copy_(torch.tensor([[3.0, 0.0]]))
    return module


def test_it_starts_as_its_base():
    """b is zero, a is not: a gradient can reach b."""
    base = nn.Linear(3, 2)
    module = LoRALinear(base, rank=2, alpha=8.0)
    x = torch.tensor([[1.0, -2.0, 4.0]])

    assert_same(module(x), base(x))
    module(x).sum().backward()
    assert module.b.grad.abs().sum() > 0


def test_the_change_is_scaled():
    """10 + 5 + 1 from the base, and 3 * 10 * 2 from the change."""
    assert_same(example()(torch.tensor([[10.0, 5.0]])).detach(), torch.tensor([[76.0]]))


def test_only_a_and_b_are_trained():
    """The base's weight and bias are frozen."""
    assert_same([name for name, p in example().named_parameters() if p.requires_grad], ["a", "b"])


def test_merged_it_is_one_linear_layer():
    """1 + 3 * 2 for the first input, 1 for the second; the base keeps its weight."""
    module = example()
    merged = module.merged()

    assert_same(merged.weight.detach(), torch.tensor([[7.0, 1.0]]))
    assert_same(module.base.weight.detach(), torch.tensor([[1.0, 1.0]]))


def test_the_adapter_is_saved_alone():
    """Two tensors of a model that has six."""
    model = nn.ModuleDict({"first": nn.Linear(2, 2), "last": example()})

    assert_same(list(adapter_state(model)), ["last.a", "last.b"])
