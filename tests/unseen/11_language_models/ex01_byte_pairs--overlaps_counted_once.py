"""count_pairs skips the second token of a pair that it has just counted if the next pair is the same, so (7, 7) occurs once in 7, 7, 7. The learner thinks that only occurrences which can be merged should count. The stub says that overlapping ones count, too."""

import torch


def merge_pair(tokens, pair, new):
    out = []
    i = 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == tuple(pair):
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def count_pairs(tokens):
    counts = {}
    last_start = {}  # where the last counted occurrence of a pair begins
    for i in range(len(tokens) - 1):
        pair = (tokens[i], tokens[i + 1])
        if last_start.get(pair) == i - 1:
            continue
        last_start[pair] = i
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def train_merges(text, count):
    tokens = list(text.encode("utf-8"))
    merges = []
    while len(merges) < count:
        counts = count_pairs(tokens)
        if not counts:
            break
        pair = min(counts, key=lambda p: (-counts[p], p))
        if counts[pair] < 2:
            break
        tokens = merge_pair(tokens, pair, 256 + len(merges))
        merges.append(pair)
    return merges


def encode_text(text, merges):
    tokens = list(text.encode("utf-8"))
    for i, pair in enumerate(merges):
        tokens = merge_pair(tokens, pair, 256 + i)
    return torch.tensor(tokens, dtype=torch.int64)


def decode_text(tokens, merges):
    table = {i: bytes([i]) for i in range(256)}
    for i, (left, right) in enumerate(merges):
        table[256 + i] = table[left] + table[right]
    data = b"".join(table[t] for t in tokens.tolist())
    return data.decode("utf-8", errors="replace")
