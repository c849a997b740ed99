"""It reshapes the target to the shape of pred when the number of elements agrees, instead of refusing it."""
import torch


def safe_mse(pred, target):
    if pred.numel() != target.numel():
        raise ValueError(f"{tuple(pred.shape)} and {tuple(target.shape)} differ")
    target = target.reshape(pred.shape)
    return ((pred - target) ** 2).mean()
