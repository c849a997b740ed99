import torch
import torch.nn.functional as F


def route(logits, k, capacity):
    num_tokens, num_experts = logits.shape
    probs = F.softmax(logits, dim=-1)
    weights, chosen = probs.topk(k, dim=-1)
    weights = weights / weights.sum(dim=-1, keepdim=True)
    counts = torch.zeros(num_experts, dtype=torch.long, device=logits.device)
    keep = torch.zeros_like(chosen, dtype=torch.bool)
    for j in range(k):
        one_hot = F.one_hot(chosen[:, j], num_experts)
        position = (one_hot.cumsum(dim=0) - 1 + counts).gather(1, chosen[:, j : j + 1]).squeeze(1)
        keep[:, j] = position < capacity
        counts += one_hot.sum(dim=0)
    return weights * keep, chosen


def balance_loss(logits, chosen):
    num_experts = logits.shape[-1]
    probs = F.softmax(logits, dim=-1)
    share = F.one_hot(chosen, num_experts).float().mean(dim=(0, 1)).to(logits.dtype)
    return num_experts * (share * probs.mean(dim=0)).sum()


def mix_experts(x, weights, chosen, experts):
    out = torch.zeros_like(x)
    for i, expert in enumerate(experts):
        token_idx, slot = torch.where((chosen == i) & (weights > 0))
        if token_idx.numel() == 0:
            continue
        out[token_idx] += weights[token_idx, slot].unsqueeze(-1) * expert(x[token_idx])
    return out
