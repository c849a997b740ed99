"""Tokens are characters of a string, and str.replace merges them."""
from collections import Counter
from functools import reduce
from itertools import pairwise

import torch


def merge_pair(tokens, pair, new):
    text = "".join(map(chr, tokens))
    return [*map(ord, text.replace("".join(map(chr, pair)), chr(new)))]


def train_merges(text, count):
    tokens, merges = [*text.encode()], []
    while len(merges) < count:
        counted = Counter(pairwise(tokens))
        if not counted or max(counted.values()) < 2:
            break
        pair = min(counted, key=lambda p: (-counted[p], p))
        tokens = merge_pair(tokens, pair, 256 + len(merges))
        merges.append(pair)
    return merges


def encode_text(text, merges):
    tokens = reduce(lambda ids, rule: merge_pair(ids, rule[1], rule[0]), enumerate(merges, start=256), [*text.encode()])
    return torch.tensor(tokens, dtype=torch.int64, device="cpu")


def decode_text(tokens, merges):
    spelled = [bytes([byte]) for byte in range(256)]
    spelled.extend(spelled[left] + spelled[right] for left, right in merges)
    return b"".join(map(spelled.__getitem__, tokens.tolist())).decode(errors="replace")
