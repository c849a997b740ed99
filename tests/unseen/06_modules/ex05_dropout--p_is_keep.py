"""p is used as the probability of keeping an element."""
import torch
from torch import nn


class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"p must be between 0 and 1, got {p}")
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        keep = torch.rand_like(x) < self.p
        if self.p == 0:
            return torch.zeros_like(x)
        return x * keep / self.p
