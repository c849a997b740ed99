"""Reference solution: count, merge, repeat; encode by the same merges, decode all bytes at once."""

from collections import Counter
from itertools import pairwise

import torch


def merge_pair(tokens: list[int], pair: tuple[int, int], new: int) -> list[int]:
    """Return the tokens with the id `new` in place of each occurrence of the pair, from left to right."""
    result, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            result.append(new)
            i += 2
        else:
            result.append(tokens[i])
            i += 1
    return result


def train_merges(text: str, count: int) -> list[tuple[int, int]]:
    """Return the first `count` merges that byte-pair encoding learns from the text."""
    tokens, merges = list(text.encode()), []
    while len(merges) < count:
        often = Counter(pairwise(tokens))
        best = min(often, key=lambda pair: (-often[pair], pair), default=None)
        if often[best] < 2:
            break
        tokens = merge_pair(tokens, best, 256 + len(merges))
        merges.append(best)
    return merges


def encode_text(text: str, merges: list[tuple[int, int]]) -> torch.Tensor:
    """Return the tokens of the text."""
    tokens = list(text.encode())
    for i, pair in enumerate(merges):
        tokens = merge_pair(tokens, pair, 256 + i)
    return torch.tensor(tokens, dtype=torch.int64)


def decode_text(tokens: torch.Tensor, merges: list[tuple[int, int]]) -> str:
    """Return the text that encode_text turned into these tokens."""
    pieces = [bytes([i]) for i in range(256)]
    for left, right in merges:
        pieces.append(pieces[left] + pieces[right])
    return b"".join(pieces[i] for i in tokens.tolist()).decode(errors="replace")
