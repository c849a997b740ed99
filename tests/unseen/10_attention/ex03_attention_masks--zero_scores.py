"""Masked scores become 0 before the softmax, which still gives them a weight."""
import torch


def attention_mask(real, causal):
    b, t = real.shape
    keys = real[:, None, :].repeat(1, t, 1)
    if causal:
        keys = torch.tril(keys)
    return keys


def masked_softmax(scores, mask):
    w = torch.softmax(scores * mask, dim=-1)
    return w * mask
