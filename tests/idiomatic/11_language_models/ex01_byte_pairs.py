from collections import Counter

import torch


def merge_pair(tokens, pair, new):
    merged = []
    i = 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            merged.append(new)
            i += 2
        else:
            merged.append(tokens[i])
            i += 1
    return merged


def train_merges(text, count):
    tokens = list(text.encode("utf-8"))
    merges = []
    for i in range(count):
        counts = Counter(zip(tokens, tokens[1:]))
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        tokens = merge_pair(tokens, best, 256 + i)
        merges.append(best)
    return merges


def encode_text(text, merges):
    tokens = list(text.encode("utf-8"))
    for i, pair in enumerate(merges):
        tokens = merge_pair(tokens, pair, 256 + i)
    return torch.tensor(tokens)


def decode_text(tokens, merges):
    vocab = {i: bytes([i]) for i in range(256)}
    for i, (left, right) in enumerate(merges):
        vocab[256 + i] = vocab[left] + vocab[right]
    return b"".join(vocab[t] for t in tokens.tolist()).decode("utf-8")
