"""The weight has the shape (in, out), so nn.Linear can't load it."""
import torch
from torch import nn


class LinearLayer(nn.Module):
    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        k = in_features ** -0.5
        self.weight = nn.Parameter(torch.empty(in_features, out_features).uniform_(-k, k))
        self.bias = nn.Parameter(torch.empty(out_features).uniform_(-k, k)) if bias else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = torch.matmul(x, self.weight)
        if self.bias is not None:
            out = out + self.bias
        return out
