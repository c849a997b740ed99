"""What top_k and top_p leave out gets the logit 0 instead of -inf; draw takes the most likely token."""
import torch


def token_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        return torch.zeros_like(logits).scatter(-1, logits.argmax(-1, keepdim=True), 1.0)
    logits = logits / temperature
    if top_k is not None:
        k = min(top_k, logits.shape[-1])
        smallest = logits.topk(k, dim=-1).values[..., -1:]
        logits = torch.where(logits < smallest, torch.zeros_like(logits), logits)
    if top_p is not None:
        order = logits.sort(dim=-1, descending=True)
        probs = order.values.softmax(-1)
        drop = probs.cumsum(-1) - probs >= top_p
        drop = torch.zeros_like(drop).scatter(-1, order.indices, drop)
        logits = torch.where(drop, torch.zeros_like(logits), logits)
    return logits.softmax(-1)


def draw(probabilities, generator=None):
    return probabilities.argmax(-1)
