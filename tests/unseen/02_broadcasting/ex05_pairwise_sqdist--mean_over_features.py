"""The squares are averaged over the features instead of summed."""
import torch


def pairwise_sqdist(a, b):
    diff = a.unsqueeze(1) - b.unsqueeze(0)
    return diff.pow(2).mean(dim=-1)
