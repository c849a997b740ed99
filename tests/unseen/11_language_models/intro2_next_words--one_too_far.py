"""last_logits reads position lengths instead of lengths - 1, the one after the last token; next_words takes the softmax over the k largest only."""
import torch


def last_logits(logits, lengths):
    rows = torch.arange(len(logits), device=logits.device)
    return logits[rows, lengths.clamp(max=logits.shape[1] - 1)]


def next_words(logits, words, k):
    top = logits.topk(min(k, len(words)))
    probs = top.values.softmax(0)
    return [(words[i], p) for i, p in zip(top.indices.tolist(), probs.tolist())]
