"""The new head is on the old head's device, but always has the default dtype."""
import torch
from torch import nn

REPAIRED = True


class LayerStack(nn.Module):
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
    old = model.head
    model.head = nn.Linear(old.in_features, classes).to(old.weight.device)
    return torch.optim.SGD(model.parameters(), lr=lr)
