"""With k = 1 route still divides the probability by itself, so the weight is always 1 and the router gets no gradient. And balance_loss divides the counts by the number of tokens, not by the number of all choices, so with k above 1 it is k times too large."""

import torch


def route(logits, k, capacity):
    n_tokens, n_experts = logits.shape
    probs = torch.softmax(logits, dim=1)
    chosen = logits.topk(k, dim=1).indices
    picked = probs.gather(1, chosen)
    weights = picked / picked.sum(dim=1, keepdim=True)

    full = torch.zeros(n_tokens, k, dtype=torch.bool)
    used = [0] * n_experts
    table = chosen.tolist()
    for choice in range(k):
        for token in range(n_tokens):
            expert = table[token][choice]
            if used[expert] < capacity:
                used[expert] += 1
            else:
                full[token, choice] = True
    weights = weights.masked_fill(full.to(weights.device), 0.0)
    return weights, chosen


def balance_loss(logits, chosen):
    n_tokens, n_experts = logits.shape
    mean_p = torch.softmax(logits, dim=1).mean(dim=0)
    loss = 0.0
    for expert in range(n_experts):
        count = (chosen == expert).sum()
        share = count.to(logits.dtype) / n_tokens
        loss = loss + share * mean_p[expert]
    return n_experts * loss


def mix_experts(x, weights, chosen, experts):
    result = torch.zeros_like(x)
    for number, expert in enumerate(experts):
        rows, choices = ((chosen == number) & (weights > 0)).nonzero(as_tuple=True)
        if len(rows) == 0:
            continue
        answer = expert(x[rows])
        scaled = answer * weights[rows, choices].unsqueeze(1)
        result = result.index_add(0, rows, scaled.to(x.dtype))
    return result
