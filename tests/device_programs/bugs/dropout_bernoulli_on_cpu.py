"""Exercise: 06_modules/ex05_dropout.
bernoulli draws from a tensor of probabilities on the CPU, with the right dtype.
"""

import torch
from torch import nn


class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError("p is a probability")
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        if self.p == 1:
            return torch.zeros_like(x) * x
        probabilities = torch.full(x.shape, 1 - self.p, dtype=torch.float32)
        mask = torch.bernoulli(probabilities).to(x.dtype)
        return mask * x / (1 - self.p)
