"""Exercise: 06_modules/ex04_standardizer.
fit replaces the buffers by tensors made from numbers, on the CPU.
"""

import torch
from torch import nn


class Standardizer(nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.register_buffer("mean", torch.zeros(n_features))
        self.register_buffer("std", torch.ones(n_features))

    def fit(self, X):
        if len(X) == 0:
            raise ValueError("X has no rows")
        X = X.detach()
        mean = X.mean(dim=0)
        std = X.std(dim=0, unbiased=False)
        self.mean = torch.tensor(mean.tolist(), dtype=X.dtype)
        self.std = torch.tensor([s if s > 0 else 1.0 for s in std.tolist()], dtype=X.dtype)
        return self

    def forward(self, x):
        return (x - self.mean) / self.std
