"""The layers are registered now, but the optimizer is still built before the new head, whose dtype is always float32."""
import torch
from torch import nn

REPAIRED = True


class LayerStack(nn.Module):
    def __init__(self, sizes: list[int]):
        super().__init__()
        self.hidden = nn.ModuleList([nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2)])
        self.head = nn.Linear(sizes[-2], sizes[-1])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.head(x)


def prepare_finetuning(model: nn.Module, classes: int, lr: float) -> torch.optim.SGD:
    opt = torch.optim.SGD(model.parameters(), lr=lr)
    model.head = nn.Linear(model.head.in_features, classes)
    model.head.to(model.head.weight.device)
    return opt
