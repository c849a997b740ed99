"""The weights are drawn from a normal distribution and the bias is zero; both should be uniform between -k and k."""
import torch
from torch import nn


class LinearLayer(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(out_features, in_features) / in_features ** 0.5)
        if bias:
            self.bias = nn.Parameter(torch.zeros(out_features))
        else:
            self.bias = None

    def forward(self, x):
        y = x @ self.weight.T
        return y + self.bias if self.bias is not None else y
