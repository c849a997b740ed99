"""The temperature is applied after top_k and top_p, and draw does not use the generator."""
import torch


def token_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    if top_k is not None:
        k = min(top_k, logits.shape[-1])
        smallest = logits.topk(k, dim=-1).values[:, -1:]
        logits = logits.masked_fill(logits < smallest, float("-inf"))
    if top_p is not None:
        values, indices = logits.sort(dim=-1, descending=True)
        p = values.softmax(dim=-1)
        before = p.cumsum(dim=-1) - p
        values = values.masked_fill((before >= top_p) & (p < p[:, :1]), float("-inf"))
        logits = torch.empty_like(logits).scatter(-1, indices, values)
    return (logits / temperature).softmax(dim=-1)


def draw(probabilities, generator=None):
    return torch.multinomial(probabilities, 1).squeeze(-1)
