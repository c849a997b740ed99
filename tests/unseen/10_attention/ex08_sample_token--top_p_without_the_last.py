"""top_p leaves out the token that crosses the limit, top_k sets logits to 0, and draw takes argmax."""
import torch
import torch.nn.functional as F


def token_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), logits.size(-1)).to(logits.dtype)
    logits = logits / temperature
    if top_k is not None:
        v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
        logits = torch.where(logits < v[:, [-1]], torch.zeros_like(logits), logits)
    if top_p is not None:
        sorted_logits, sorted_indices = torch.sort(logits, descending=True)
        cumulative = torch.cumsum(F.softmax(sorted_logits, dim=-1), dim=-1)
        remove = cumulative > top_p
        remove[:, 0] = False
        mask = remove.scatter(1, sorted_indices, remove)
        logits = logits.masked_fill(mask, float("-inf"))
    return F.softmax(logits, dim=-1)


def draw(probabilities, generator=None):
    return probabilities.argmax(dim=-1)
