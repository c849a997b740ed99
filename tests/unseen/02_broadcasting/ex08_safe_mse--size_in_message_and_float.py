"""The message shows torch.Size([5, 1]) instead of (5, 1), and both tensors are converted to float32, so float64 is lost."""
import torch


def safe_mse(pred, target):
    if pred.shape != target.shape:
        raise ValueError(f"shapes differ: {pred.shape} and {target.shape}")
    return ((pred.float() - target.float()) ** 2).mean()
