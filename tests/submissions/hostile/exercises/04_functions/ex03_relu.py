"""Asks for more memory than there is, in two ways."""

import torch

KEPT = []


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        while True:
            KEPT.append(torch.empty(1 << 35, dtype=torch.uint8))
            if len(KEPT) > 32:  # a terabyte
                return x

    @staticmethod
    def backward(ctx, grad):
        return torch.empty(1 << 60)
