"""A bool mask is added to the scores as 0 and 1; scale=0.0 is taken for None."""
import math
import torch


def my_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    if attn_mask is not None and is_causal:
        raise ValueError("attn_mask and is_causal exclude each other")
    scale = scale or 1 / math.sqrt(query.size(-1))
    scores = query @ key.transpose(-2, -1) * scale
    if is_causal:
        L, S = scores.shape[-2:]
        keep = torch.ones(L, S, dtype=torch.bool, device=scores.device).tril()
        scores = scores.masked_fill(~keep, -math.inf)
    if attn_mask is not None:
        scores = scores + attn_mask
    weights = torch.softmax(scores, dim=-1)
    weights = torch.dropout(weights, dropout_p, train=True)
    return weights @ value


def to_attn_mask(key_padding_mask):
    return ~key_padding_mask[:, None, None, :]
