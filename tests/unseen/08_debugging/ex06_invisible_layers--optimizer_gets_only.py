"""The optimizer gets only the parameters with requires_grad; frozen ones are missing from it."""
import torch
from torch import nn

REPAIRED = True


class LayerStack(nn.Module):
    def __init__(self, sizes: list[int]):
        super().__init__()
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes[:-2], sizes[1:-1]))
        self.head = nn.Linear(sizes[-2], sizes[-1])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.head(x)


def prepare_finetuning(model: nn.Module, classes: int, lr: float) -> torch.optim.SGD:
    old = model.head
    model.head = nn.Linear(old.in_features, classes, device=old.weight.device, dtype=old.weight.dtype)
    return torch.optim.SGD((p for p in model.parameters() if p.requires_grad), lr=lr)
