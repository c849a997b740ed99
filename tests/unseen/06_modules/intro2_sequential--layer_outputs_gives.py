"""layer_outputs gives every module the original x instead of the result of the previous module. The list has the right length, but its last entry is not model(x), and with layers of different sizes it raises a shape error."""
import torch
from torch import nn


def make_mlp(n_in: int, n_hidden: int, n_out: int) -> nn.Sequential:
    layers = [nn.Linear(n_in, n_hidden), nn.ReLU(), nn.Linear(n_hidden, n_out)]
    return nn.Sequential(*layers)


def layer_outputs(model: nn.Sequential, x: torch.Tensor) -> list[torch.Tensor]:
    return [layer(x) for layer in model]
