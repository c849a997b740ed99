"""Exercise: 01_tensors/bonus1_log1pexp.
The zero that x is compared with has the shape of x and lies on the CPU.
"""

import torch


def log1pexp(x):
    zeros = torch.zeros(x.shape, dtype=x.dtype)
    positive = torch.maximum(x, zeros)
    finite = torch.where(x.isinf(), zeros, x)
    return positive + torch.where(x.isinf(), zeros, torch.log1p(torch.exp(-finite.abs())))
