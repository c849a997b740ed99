"""Every std below 1e-6 is replaced by 1, not only a std of exactly 0: a feature with values around 1e-7 is not scaled."""
import torch
from torch import nn


class Standardizer(nn.Module):
    def __init__(self, n_features: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(n_features))
        self.register_buffer("std", torch.ones(n_features))

    def fit(self, X: torch.Tensor) -> "Standardizer":
        if X.shape[0] == 0:
            raise ValueError("cannot fit to no rows")
        with torch.no_grad():
            mean = X.mean(dim=0)
            std = X.std(dim=0, correction=0)
            std[std < 1e-6] = 1.0  # (almost) constant features
            self.mean.copy_(mean)
            self.std.copy_(std)
        return self

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (x - self.mean) / self.std
