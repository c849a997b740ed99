"""Reference solution: a queue for each expert, by a cumulative sum, and one call of each expert."""

import torch
from torch.nn import functional as F


def route(logits: torch.Tensor, k: int, capacity: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the weights of each token's k experts, and which experts these are."""
    weights, chosen = logits.softmax(dim=-1).topk(k)
    if k > 1:
        weights = weights / weights.sum(dim=-1, keepdim=True)
    queue = F.one_hot(chosen.T.flatten(), logits.shape[-1])
    places = (queue.cumsum(dim=0) * queue).sum(dim=-1).reshape(k, len(logits)).T
    return weights * (places <= capacity), chosen


def balance_loss(logits: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
    """Return the loss that keeps experts equally busy."""
    experts = logits.shape[-1]
    shares = chosen.flatten().bincount(minlength=experts).to(logits.dtype) / chosen.numel()
    return experts * (shares * logits.softmax(dim=-1).mean(dim=0)).sum()


def mix_experts(x: torch.Tensor, weights: torch.Tensor, chosen: torch.Tensor, experts: list) -> torch.Tensor:
    """Return the sum of each token's experts, multiplied by their weights."""
    result = torch.zeros_like(x)
    for i, expert in enumerate(experts):
        tokens, choices = ((chosen == i) & (weights > 0)).nonzero(as_tuple=True)
        if len(tokens):
            result = result.index_add(0, tokens, expert(x[tokens]) * weights[tokens, choices, None])
    return result
