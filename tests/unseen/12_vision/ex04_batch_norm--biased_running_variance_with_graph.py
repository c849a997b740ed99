"""(1) The running variance takes the same variance as the normalization, the one with correction=0, but it has to be the one with correction=1. (2) The new running statistics are computed from mean and var of x without detach, so they keep the graph of the batch, and the graph of every batch before it."""

import torch
from torch import nn


class ChannelNorm(nn.Module):
    def __init__(self, channels, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps = eps
        self.momentum = momentum
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.register_buffer("running_mean", torch.zeros(channels))
        self.register_buffer("running_var", torch.ones(channels))
        self.register_buffer("num_batches_tracked", torch.tensor(0))

    def forward(self, x):
        if self.training:
            n = x.numel() // x.shape[1]
            if n < 2:
                raise ValueError("one number has no variance")
            mean = x.mean(dim=(0, 2, 3))
            var = x.var(dim=(0, 2, 3), correction=0)

            self.num_batches_tracked += 1
            if self.momentum is None:
                share = 1.0 / self.num_batches_tracked.item()
            else:
                share = self.momentum
            self.running_mean = (1 - share) * self.running_mean + share * mean
            self.running_var = (1 - share) * self.running_var + share * var
        else:
            mean = self.running_mean
            var = self.running_var

        def col(t):
            return t.reshape(1, -1, 1, 1)

        return (x - col(mean)) / torch.sqrt(col(var) + self.eps) * col(self.weight) + col(self.bias)
