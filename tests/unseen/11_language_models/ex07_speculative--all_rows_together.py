"""residual returns p only if every row of p equals its row of q; if only some rows are equal, those rows become nan."""

import torch


def accept_probability(p, q):
    never = q == 0
    safe_q = torch.where(never, torch.ones_like(q), q)
    ratio = p / safe_q
    ratio = torch.where(never, torch.ones_like(ratio), ratio)
    return ratio.clamp(max=1.0)


def residual(p, q):
    missing = (p - q).clamp(min=0)
    total = missing.sum(dim=-1, keepdim=True)
    if total.sum() == 0:
        return p.clone()
    return missing / total


def pick(probabilities, number):
    collected = 0.0
    last_possible = 0
    for i, chance in enumerate(probabilities.tolist()):
        collected += chance
        if chance > 0:
            last_possible = i
        if collected > number:
            return i
    return last_possible


def speculative_step(p, q, draft, u):
    k = len(draft)
    tokens = []
    for i in range(k):
        t = draft[i].item()
        chance = accept_probability(p[i], q[i])[t]
        if u[i] < chance:
            tokens.append(t)
        else:
            tokens.append(pick(residual(p[i], q[i]), u[k].item()))
            return torch.tensor(tokens, dtype=torch.int64, device=p.device)
    tokens.append(pick(p[k], u[k].item()))
    return torch.tensor(tokens, dtype=torch.int64, device=p.device)
