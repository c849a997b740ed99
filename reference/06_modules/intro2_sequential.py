"""Reference solution for make_mlp and layer_outputs."""

import torch
from torch import nn


def make_mlp(n_in: int, n_hidden: int, n_out: int) -> nn.Sequential:
    """Return an nn.Sequential of three modules: a linear layer from n_in to n_hidden numbers, nn.ReLU, one from there to n_out."""
    return nn.Sequential(nn.Linear(n_in, n_hidden), nn.ReLU(), nn.Linear(n_hidden, n_out))


def layer_outputs(model: nn.Sequential, x: torch.Tensor) -> list[torch.Tensor]:
    """Return the result of each module of the model, in order: each gets the result of the previous one."""
    results = []
    for module in model:
        x = module(x)
        results.append(x)
    return results
