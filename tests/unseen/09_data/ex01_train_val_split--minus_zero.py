"""With val_size 0, order[:-0] is empty and order[-0:] is everything."""
import torch


def train_val_split(x, y, order, val_size):
    if not 0 <= val_size <= x.shape[0]:
        raise ValueError(f"val_size {val_size}")
    train_idx = order[:-val_size]
    val_idx = order[-val_size:]
    return (x[train_idx], y[train_idx]), (x[val_idx], y[val_idx])
