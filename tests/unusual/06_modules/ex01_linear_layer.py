"""A metaclass draws the initial values."""
import torch
from torch import nn


class Named(type):
    def __call__(cls, *args, **kwargs):
        made = super().__call__(*args, **kwargs)
        made.reset()
        return made


class LinearLayer(nn.Module, metaclass=Named):
    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        self.bias = nn.Parameter(torch.empty(out_features)) if bias else None

    def reset(self):
        k = 1 / self.weight.shape[1] ** 0.5
        for p in self.parameters():
            nn.init.uniform_(p, a=-k, b=k)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x.matmul(self.weight.t())
        if self.bias is not None:
            y += self.bias
        return y
