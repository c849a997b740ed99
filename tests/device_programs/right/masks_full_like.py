"""Exercise: 02_broadcasting/ex06_masks.
Class numbers are counted from ones that are made like the labels.
"""

import torch


def one_hot(labels, classes, dtype=torch.float32):
    numbers = labels.new_ones(classes).cumsum(0) - 1
    return (labels.unsqueeze(-1) == numbers).to(dtype)


def causal_mask(T, device=None):
    return torch.ones(T, T, dtype=torch.bool, device=device).tril_()
