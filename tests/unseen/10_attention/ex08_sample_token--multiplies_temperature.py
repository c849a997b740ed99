"""The logits are multiplied by the temperature; top_k keeps the k smallest because of the sort order."""
import torch


def token_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        best = logits.argmax(-1, keepdim=True)
        return torch.zeros_like(logits).scatter(-1, best, 1.0)
    logits = logits * temperature
    if top_k is not None:
        k = min(top_k, logits.shape[-1])
        threshold = logits.sort(dim=-1).values[:, k - 1:k]
        logits = logits.masked_fill(logits > threshold, -torch.inf)
    probs = logits.softmax(-1)
    if top_p is not None:
        sorted_probs, index = probs.sort(dim=-1, descending=True)
        before = sorted_probs.cumsum(-1) - sorted_probs
        keep = torch.zeros_like(probs, dtype=torch.bool).scatter(-1, index, before < top_p)
        probs = probs * keep
        probs = probs / probs.sum(-1, keepdim=True)
    return probs


def draw(probabilities, generator=None):
    return torch.multinomial(probabilities, 1, generator=generator).squeeze(-1)
