import torch


def last_logits(logits, lengths):
    batch = torch.arange(logits.shape[0], device=logits.device)
    return logits[batch, lengths - 1]


def next_words(logits, words, k):
    probs, ids = logits.softmax(dim=-1).topk(k)
    return [(words[i], p) for i, p in zip(ids.tolist(), probs.tolist())]
