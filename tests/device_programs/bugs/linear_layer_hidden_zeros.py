"""Exercise: 06_modules/ex01_linear_layer.
Without a bias the layer adds zeros that are a plain attribute on the CPU.
"""

import math

import torch
from torch import nn


class LinearLayer(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        k = 1 / math.sqrt(in_features)
        self.weight = nn.Parameter(torch.empty(out_features, in_features).uniform_(-k, k))
        if bias:
            self.bias = nn.Parameter(torch.empty(out_features).uniform_(-k, k))
        else:
            self.register_parameter("bias", None)
        self.nothing = torch.zeros(out_features)

    def forward(self, x):
        shift = self.nothing.to(x.dtype) if self.bias is None else self.bias
        return x @ self.weight.T + shift
