"""(1) The buffers are made with dtype=torch.float32, because the stub mentions float32, and don't follow a changed default dtype. (2) fit replaces every standard deviation below 0.001 by 1 "to be safe". A feature that is measured in kilometers and varies by centimeters is then not scaled at all; the stub says exactly 0."""

import torch
from torch import nn


class Standardizer(nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.register_buffer("mean", torch.zeros(n_features, dtype=torch.float32))
        self.register_buffer("std", torch.ones(n_features, dtype=torch.float32))

    @torch.no_grad()
    def fit(self, X):
        n = X.shape[0]
        if n == 0:
            raise ValueError("fit needs at least one row")
        mean = X.sum(dim=0) / n
        var = ((X - mean) ** 2).sum(dim=0) / n
        std = var.sqrt()
        std[std < 1e-3] = 1.0
        self.mean.copy_(mean)
        self.std.copy_(std)
        return self

    def forward(self, x):
        return (x - self.mean) / self.std
