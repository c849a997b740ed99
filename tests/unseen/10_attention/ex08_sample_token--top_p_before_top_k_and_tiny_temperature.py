"""(1) The probabilities for top_p are computed before top_k has removed anything, and both limits are applied to them side by side. The stub goes in order: after top_k the rest has larger probabilities, so top_p keeps fewer tokens. (2) Temperature 0 is replaced by 0.001 to avoid the division by zero. Two logits that are close share the probability then, and greedy must give the largest all of it."""

import torch


def token_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    logits = logits / max(temperature, 1e-3)
    keep = torch.ones_like(logits, dtype=torch.bool)

    ordered, order = logits.softmax(dim=-1).sort(dim=-1, descending=True)
    if top_k is not None:
        keep.scatter_(1, order[:, top_k:], False)
    if top_p is not None:
        before = ordered.cumsum(dim=-1) - ordered
        outside = before >= top_p
        outside[:, 0] = False
        if top_p < 1.0:
            keep &= ~torch.zeros_like(outside).scatter(1, order, outside)

    return logits.masked_fill(~keep, float("-inf")).softmax(dim=-1)


def draw(probabilities, generator=None):
    return torch.multinomial(probabilities, 1, generator=generator)[:, 0]
