"""The query heads are cut as (heads // groups, groups): query head h uses head h % groups of k and v, 0, 1, 0, 1 instead of 0, 0, 1, 1."""
import math
import torch


def grouped_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, is_causal: bool = False) -> torch.Tensor:
    heads, groups = q.shape[1], k.shape[1]
    if heads % groups != 0:
        raise ValueError(f"{heads} heads cannot share {groups} groups")
    q = q.unflatten(1, (heads // groups, groups))
    k, v = k.unsqueeze(1), v.unsqueeze(1)  # broadcast over the heads of a group
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if is_causal:
        later = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(later, -torch.inf)
    return (scores.softmax(dim=-1) @ v).flatten(1, 2)
