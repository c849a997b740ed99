"""A ValueError is raised only if the shapes can't be broadcast; (5, 1) and (5,) pass."""
import torch


def safe_mse(pred, target):
    try:
        torch.broadcast_shapes(pred.shape, target.shape)
    except RuntimeError:
        raise ValueError(f"shapes {tuple(pred.shape)} and {tuple(target.shape)} do not match")
    return ((pred - target) ** 2).mean()
