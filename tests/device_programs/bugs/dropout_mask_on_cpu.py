"""Exercise: 06_modules/ex05_dropout.
The random numbers are drawn with torch.rand(x.shape), on the CPU.
"""

import torch
from torch import nn


class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"p must lie between 0 and 1, not {p}")
        self.p = p

    def forward(self, x):
        if not self.training or self.p == 0:
            return x
        if self.p == 1:
            return x * 0
        keep = torch.rand(x.shape) >= self.p
        return x * keep / (1 - self.p)
