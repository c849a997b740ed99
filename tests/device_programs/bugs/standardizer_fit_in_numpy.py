"""Exercise: 06_modules/ex04_standardizer.
fit computes in NumPy with data that were not fetched to the CPU.
"""

import numpy as np
import torch
from torch import nn


class Standardizer(nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.register_buffer("mean", torch.zeros(n_features))
        self.register_buffer("std", torch.ones(n_features))

    @torch.no_grad()
    def fit(self, X):
        if X.shape[0] == 0:
            raise ValueError("X has no rows")
        rows = X.detach().numpy()
        std = rows.std(axis=0)
        self.mean.copy_(torch.from_numpy(rows.mean(axis=0)))
        self.std.copy_(torch.from_numpy(np.where(std == 0, 1, std)))
        return self

    def forward(self, x):
        return (x - self.mean) / self.std
