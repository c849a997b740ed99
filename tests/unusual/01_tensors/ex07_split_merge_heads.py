"""Tensor.unfold cuts the features; unbind and cat join the heads."""
import torch


def split_heads(x, heads):
    width, rest = divmod(x.shape[-1], heads)
    if rest:
        raise ValueError(f"{x.shape[-1]} features can't be cut into {heads} heads")
    return x.unfold(dimension=2, size=width, step=width).movedim(2, 1)


def merge_heads(x):
    return torch.cat(x.unbind(dim=1), dim=-1)
