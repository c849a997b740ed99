"""The first val_size entries of order are taken for validation, not the last."""
import torch


def train_val_split(x, y, order, val_size):
    if val_size < 0 or val_size > len(order):
        raise ValueError("val_size must be between 0 and the number of samples")
    val, train = order[:val_size], order[val_size:]
    return (x[train], y[train]), (x[val], y[val])
