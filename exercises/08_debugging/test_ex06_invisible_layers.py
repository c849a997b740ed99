"""Visible tests for LayerStack and prepare_finetuning: pytest exercises/08_debugging -k invisible_layers"""

import torch

from ex06_invisible_layers import LayerStack, prepare_finetuning
from torchdojo import assert_same


def test_every_layer_is_among_the_parameters():
    """One hidden layer and a head: four parameters with these names."""
    names = [name for name, _ in LayerStack([2, 4, 3]).named_parameters()]

    assert names == ["hidden.0.weight", "hidden.0.bias", "head.weight", "head.bias"]


def test_optimizer_holds_what_the_model_has():
    """The optimizer holds each parameter of the model, and nothing else."""
    model = LayerStack([2, 4, 3])

    opt = prepare_finetuning(model, classes=5, lr=0.1)

    held = {id(parameter) for group in opt.param_groups for parameter in group["params"]}
    missing = [name for name, parameter in model.named_parameters() if id(parameter) not in held]
    assert missing == []
    assert len(held) == len(list(model.parameters()))


def test_relu_comes_after_hidden_layers_only():
    """A hidden value of -2 becomes 0; the head's own -1 stays -1."""
    model = LayerStack([1, 1, 1])
    torch.nn.init.ones_(model.hidden[0].weight)
    torch.nn.init.zeros_(model.hidden[0].bias)
    torch.nn.init.ones_(model.head.weight)
    torch.nn.init.constant_(model.head.bias, -1.0)

    got = model(torch.tensor([[-2.0], [3.0]]))

    assert_same(got.detach(), torch.tensor([[-1.0], [2.0]]))
