"""top_p works with the probabilities of all tokens, computed before top_k has removed any, so with both arguments it can keep too many tokens."""

import torch


def token_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        best = logits.argmax(dim=-1, keepdim=True)
        answer = torch.zeros_like(logits)
        answer.scatter_(1, best, 1.0)
        return answer

    scaled = logits / temperature
    probs = torch.softmax(scaled, dim=-1)
    allowed = torch.ones_like(logits, dtype=torch.bool)

    if top_k is not None:
        k = min(top_k, logits.shape[1])
        kth = scaled.topk(k, dim=-1).values[:, -1:]
        allowed = allowed & (scaled >= kth)

    if top_p is not None and top_p < 1.0:
        sorted_probs, places = probs.sort(dim=-1, descending=True)
        # what was already collected before this token
        before = sorted_probs.cumsum(dim=-1) - sorted_probs
        keep_sorted = before < top_p
        keep_sorted[:, 0] = True
        keep = torch.zeros_like(allowed)
        keep.scatter_(1, places, keep_sorted)
        allowed = allowed & keep

    final = scaled.masked_fill(~allowed, float("-inf"))
    return torch.softmax(final, dim=-1)


def draw(probabilities, generator=None):
    picked = torch.multinomial(probabilities, 1, generator=generator)
    return picked[:, 0]
