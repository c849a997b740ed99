"""The ids follow the order in which characters appear, not the sorted order."""
import torch


def vocabulary(text):
    return {c: i for i, c in enumerate(dict.fromkeys(text))}


def encode(text, ids):
    return torch.tensor([ids[c] for c in text], dtype=torch.int64)


def decode(tokens, ids):
    chars = {i: c for c, i in ids.items()}
    return "".join(chars[i] for i in tokens.tolist())
