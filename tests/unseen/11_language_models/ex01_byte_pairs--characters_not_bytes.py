"""The tokens start as the code points of the characters (ord) and not as the UTF-8 bytes of the text, so every text with a character outside ASCII gets wrong tokens."""

import torch


def start_tokens(text):
    return [ord(letter) for letter in text]


def merge_pair(tokens, pair, new):
    out = []
    i = 0
    while i < len(tokens):
        if i + 1 < len(tokens) and tokens[i] == pair[0] and tokens[i + 1] == pair[1]:
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def train_merges(text, count):
    tokens = start_tokens(text)
    merges = []
    for round_number in range(count):
        how_often = {}
        for i in range(len(tokens) - 1):
            pair = (tokens[i], tokens[i + 1])
            how_often[pair] = how_often.get(pair, 0) + 1
        best = None
        for pair in sorted(how_often):
            if best is None or how_often[pair] > how_often[best]:
                best = pair
        if best is None or how_often[best] < 2:
            break
        merges.append(best)
        tokens = merge_pair(tokens, best, 256 + round_number)
    return merges


def encode_text(text, merges):
    tokens = start_tokens(text)
    for i, pair in enumerate(merges):
        tokens = merge_pair(tokens, tuple(pair), 256 + i)
    return torch.tensor(tokens, dtype=torch.int64)


def decode_text(tokens, merges):
    table = {}
    for b in range(256):
        table[b] = bytes([b])
    for i, (left, right) in enumerate(merges):
        table[256 + i] = table[left] + table[right]
    whole = b""
    for t in tokens.tolist():
        whole += table[t]
    return whole.decode("utf-8", errors="replace")
