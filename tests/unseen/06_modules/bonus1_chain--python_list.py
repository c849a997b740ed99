"""The modules sit in a plain Python list and are not registered."""
import torch
from torch import nn


class Chain(nn.Module):
    def __init__(self, *modules):
        super().__init__()
        for m in modules:
            if not isinstance(m, nn.Module):
                raise TypeError("only modules")
        self.layers = list(modules)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def __len__(self):
        return len(self.layers)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return Chain(*self.layers[index])
        return self.layers[index]
