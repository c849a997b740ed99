"""The kept elements are not divided by 1 - p, and it drops with probability 1 - p."""
import torch
from torch import nn

class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError("p")
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        mask = torch.bernoulli(torch.full_like(x, self.p))
        return x * mask
