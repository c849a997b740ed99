"""Exercise: 06_modules/ex04_standardizer.
Spreads of 0 are replaced with ones from the CPU.
"""

import torch
from torch import nn


class Standardizer(nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.n_features = n_features
        self.register_buffer("mean", torch.zeros(n_features))
        self.register_buffer("std", torch.ones(n_features))

    @torch.no_grad()
    def fit(self, X):
        if X.shape[0] == 0:
            raise ValueError("X has no rows")
        std = X.var(dim=0, correction=0).sqrt()
        std = torch.where(std == 0, torch.ones(self.n_features, dtype=X.dtype), std)
        self.mean.copy_(X.mean(dim=0))
        self.std.copy_(std)
        return self

    def forward(self, x):
        return (x - self.mean) / self.std
