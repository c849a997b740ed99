"""The mask has only the last axis, so whole columns become 0 together; and p = 1 divides by 0."""
import torch
from torch import nn


class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError("p must be between 0 and 1")
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        size = x.shape[-1:] if x.ndim else ()
        keep = (torch.rand(size, device=x.device) >= self.p).to(x.dtype)
        return x * keep / (1 - self.p)
