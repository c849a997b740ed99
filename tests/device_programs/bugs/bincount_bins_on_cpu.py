"""Exercise: 02_broadcasting/bonus1_bincount.
The numbers of the bins are on the CPU.
"""

import torch


def bincount(values, bins):
    return (values.unsqueeze(0) == torch.arange(bins).unsqueeze(1)).sum(dim=1)
