"""Reference solution: each head of keys and values, repeated next to itself."""

import torch


def grouped_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, is_causal: bool = False) -> torch.Tensor:
    """Return the attention of grouped query heads."""
    share, rest = divmod(q.shape[1], k.shape[1])
    if rest:
        raise ValueError(f"{q.shape[1]} query heads can't share {k.shape[1]} heads of keys evenly")
    k, v = k.repeat_interleave(share, dim=1), v.repeat_interleave(share, dim=1)
    scores = q @ k.transpose(2, 3) / q.shape[3] ** 0.5
    if is_causal:
        later = torch.ones_like(scores, dtype=torch.bool).triu(1)
        scores = scores.masked_fill(later, -torch.inf)
    return scores.softmax(dim=3) @ v
