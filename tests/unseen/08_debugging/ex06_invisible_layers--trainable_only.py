"""The optimizer gets only parameters that require grad, and the layers get numbered attribute names."""
import torch
from torch import nn

REPAIRED = True


class LayerStack(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.n = len(sizes) - 2
        for i in range(self.n):
            setattr(self, f"hidden{i}", nn.Linear(sizes[i], sizes[i + 1]))
        self.head = nn.Linear(sizes[-2], sizes[-1])

    def forward(self, x):
        for i in range(self.n):
            x = torch.relu(getattr(self, f"hidden{i}")(x))
        return self.head(x)


def prepare_finetuning(model, classes, lr):
    old = model.head
    model.head = nn.Linear(old.in_features, classes, dtype=old.weight.dtype, device=old.weight.device)
    return torch.optim.SGD((p for p in model.parameters() if p.requires_grad), lr=lr)
