"""The capacity is given out token by token, so a second choice takes the place of a later token's first choice."""
import torch


def route(logits, k, capacity):
    probs = logits.softmax(dim=-1)
    chosen = logits.topk(k, dim=-1).indices
    weights = probs.gather(-1, chosen)
    if k > 1:
        weights = weights / weights.sum(dim=-1, keepdim=True)
    used = [0] * logits.shape[1]
    keep = torch.ones(chosen.shape, dtype=torch.bool, device=logits.device)
    for t, row in enumerate(chosen.tolist()):
        for j, e in enumerate(row):
            if used[e] < capacity:
                used[e] += 1
            else:
                keep[t, j] = False
    return torch.where(keep, weights, torch.zeros_like(weights)), chosen


def balance_loss(logits, chosen):
    experts = logits.shape[1]
    p = logits.softmax(dim=-1).mean(dim=0)
    share = torch.bincount(chosen.flatten(), minlength=experts).to(logits.dtype) / chosen.numel()
    return experts * (share * p).sum()


def mix_experts(x, weights, chosen, experts):
    result = torch.zeros_like(x)
    for e, expert in enumerate(experts):
        token, slot = ((chosen == e) & (weights > 0)).nonzero(as_tuple=True)
        if len(token) == 0:
            continue
        out = expert(x[token]) * weights[token, slot].unsqueeze(-1)
        result = result.index_add(0, token, out)
    return result
