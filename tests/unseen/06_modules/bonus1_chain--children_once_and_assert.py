"""(1) forward loops over self.children(), which yields each module once. A module that stands at two positions runs only at the first. (2) The constructor checks its arguments with assert, so a plain function raises AssertionError and not TypeError, and with python -O it depends on what comes next."""

from torch import nn


class Chain(nn.Module):
    def __init__(self, *modules):
        super().__init__()
        for i, m in enumerate(modules):
            assert isinstance(m, nn.Module), "only modules, please"
            self.add_module(str(i), m)

    def forward(self, x):
        for m in self.children():
            x = m(x)
        return x

    def __len__(self):
        return len(self._modules)

    def __getitem__(self, index):
        mods = list(self._modules.values())
        if isinstance(index, slice):
            return Chain(*mods[index])
        return mods[index]
