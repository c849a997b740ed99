"""A subclass of nn.ModuleList; forward is a reduce."""
from functools import reduce

import torch
from torch import nn


class Chain(nn.ModuleList):
    def __init__(self, *modules):
        for module in modules:
            if not isinstance(module, nn.Module):
                raise TypeError(f"{module!r} is no nn.Module")
        super().__init__(modules)

    def forward(self, x):
        return reduce(lambda value, module: module(value), self, x)

    def __getitem__(self, index):
        found = list(self)[index]
        return Chain(*found) if isinstance(index, slice) else found
