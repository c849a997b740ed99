"""Exercise: 08_debugging/ex06_invisible_layers.
The new head has the dtype of the old one and is made on the CPU.
"""

import torch
from torch import nn

REPAIRED = True


class LayerStack(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.hidden = nn.ModuleList(nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2))
        self.head = nn.Linear(sizes[-2], sizes[-1])

    def forward(self, x):
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.head(x)


def prepare_finetuning(model, classes, lr):
    old = model.head
    model.head = nn.Linear(old.in_features, classes, dtype=old.weight.dtype)
    return torch.optim.SGD(model.parameters(), lr=lr)
