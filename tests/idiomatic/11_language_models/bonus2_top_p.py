import torch


def draw_top_p(logits, p, u, start=8):
    probs = torch.softmax(logits, dim=-1)
    vocab = probs.shape[-1]
    k = min(start, vocab)
    top, ids = torch.topk(probs, k, dim=-1)
    while k < vocab and (top.sum(dim=-1) < p).any():
        k = min(2 * k, vocab)
        top, ids = torch.topk(probs, k, dim=-1)

    cumulative = top.cumsum(dim=-1)
    in_nucleus = cumulative - top < p  # the token that reaches p belongs to it
    top = top * in_nucleus
    total = top.sum(dim=-1, keepdim=True)
    above = top.cumsum(dim=-1) > u.unsqueeze(-1) * total
    first = above.int().argmax(dim=-1, keepdim=True)
    return ids.gather(-1, first).squeeze(-1)
