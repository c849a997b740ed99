"""chain[a:b] gives a plain list of modules instead of a Chain."""
import torch
from torch import nn


class Chain(nn.Module):
    def __init__(self, *modules):
        super().__init__()
        for i, m in enumerate(modules):
            self.add_module(str(i), m)
        self.n = len(modules)

    def forward(self, x):
        for i in range(self.n):
            x = getattr(self, str(i))(x)
        return x

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        modules = [getattr(self, str(i)) for i in range(self.n)]
        return modules[index]
