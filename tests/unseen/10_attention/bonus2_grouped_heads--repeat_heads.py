"""k and v are repeated as 0, 1, 0, 1 instead of 0, 0, 1, 1; heads that don't fit raise no ValueError."""
import torch


def grouped_attention(q, k, v, is_causal=False):
    heads, groups = q.shape[1], k.shape[1]
    k = k.repeat(1, heads // groups, 1, 1)
    v = v.repeat(1, heads // groups, 1, 1)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if is_causal:
        t = scores.shape[-1]
        mask = torch.ones(t, t, dtype=torch.bool, device=q.device).tril()
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(-1) @ v
