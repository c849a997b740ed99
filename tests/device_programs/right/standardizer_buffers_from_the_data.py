"""Exercise: 06_modules/ex04_standardizer.
fit assigns tensors made from X to the registered buffers; they are on X's device.
"""

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
        std = X.std(dim=0, correction=0)
        self.mean = X.mean(dim=0)
        self.std = torch.where(std == 0, torch.ones_like(std), std)
        return self

    def forward(self, x):
        return (x - self.mean) / self.std
