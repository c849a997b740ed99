"""The probability of keeping an element is computed once in the constructor, so after drop.p = 0.9 the layer still drops with the old p."""

import torch
from torch import nn


class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError("p must be between 0 and 1, got " + str(p))
        self.p = p
        self.keep = 1 - p

    def forward(self, x):
        if not self.training:
            return x
        if self.keep == 0:
            return x * 0
        stays = torch.rand(x.shape, device=x.device) < self.keep
        return x * stays.to(x.dtype) / self.keep
