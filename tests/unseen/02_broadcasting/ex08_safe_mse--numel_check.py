"""Only the number of elements is compared, so (5, 1) and (5,) pass; and the loss is a sum."""
import torch

def safe_mse(pred, target):
    if pred.numel() != target.numel():
        raise ValueError(f"{tuple(pred.shape)} {tuple(target.shape)}")
    errors = pred - target
    return (errors ** 2).sum()
