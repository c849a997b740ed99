"""Reference solution: a ModuleList, and the optimizer comes last."""

import torch
from torch import nn

REPAIRED = True


class LayerStack(nn.Module):
    """Apply linear layers one after the other, with relu after each one but the last."""

    def __init__(self, sizes: list[int]):
        super().__init__()
        self.hidden = nn.ModuleList(nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2))
        self.head = nn.Linear(sizes[-2], sizes[-1])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the scores of each class."""
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.head(x)


def prepare_finetuning(model: nn.Module, classes: int, lr: float) -> torch.optim.SGD:
    """Give the model a fresh head and return an SGD optimizer over all its parameters."""
    old = model.head.weight
    model.head = nn.Linear(model.head.in_features, classes, device=old.device, dtype=old.dtype)
    return torch.optim.SGD(model.parameters(), lr=lr)
