"""The weight is laid out (in_features, out_features) as in Keras, and x @ weight is not transposed: state_dicts of nn.Linear do not fit (or silently fit the wrong way round when square)."""
import math
import torch
from torch import nn


class LinearLayer(nn.Module):
    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        limit = 1 / math.sqrt(in_features)
        # kernel: inputs x units
        self.weight = nn.Parameter(torch.empty(in_features, out_features).uniform_(-limit, limit))
        if bias:
            self.bias = nn.Parameter(torch.empty(out_features).uniform_(-limit, limit))
        else:
            self.register_parameter("bias", None)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = x @ self.weight
        return out if self.bias is None else out + self.bias
