"""Attention in a functional style: causal from the last key, and the weights beside the result."""

import math

import torch


def tril_from_the_end(queries, keys, device):
    rows = torch.arange(keys - queries, keys, device=device)
    return torch.arange(keys, device=device) <= rows[:, None]


def attend(q, k, v, *, allowed=None, causal=False, scale=None, dropout_p=0.0, training=False):
    """allowed: bool, True where a query may read a key."""
    logits = q @ k.mT * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if causal:
        triangle = tril_from_the_end(q.shape[-2], k.shape[-2], q.device)
        allowed = triangle if allowed is None else allowed & triangle
    if allowed is not None:
        logits = torch.where(allowed, logits, -torch.inf)
    weights = torch.softmax(logits, dim=-1)
    return torch.nn.functional.dropout(weights, dropout_p, training) @ v, weights
