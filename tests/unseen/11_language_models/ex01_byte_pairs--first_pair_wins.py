"""In a tie the pair that occurs first in the text wins, not the smallest."""
from collections import Counter

import torch


def merge_pair(tokens: list[int], pair: tuple[int, int], new: int) -> list[int]:
    """Replace every non-overlapping occurrence of `pair`, scanning left to right."""
    out: list[int] = []
    i = 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == tuple(pair):
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def train_merges(text: str, count: int) -> list[tuple[int, int]]:
    """Learn BPE merges greedily from the most frequent pair of neighbors."""
    tokens = list(text.encode("utf-8"))
    merges: list[tuple[int, int]] = []
    for i in range(count):
        pairs = Counter(zip(tokens, tokens[1:]))
        if not pairs:
            break
        pair, occurrences = pairs.most_common(1)[0]
        if occurrences < 2:
            break
        merges.append(pair)
        tokens = merge_pair(tokens, pair, 256 + i)
    return merges


def encode_text(text: str, merges: list[tuple[int, int]]) -> torch.Tensor:
    """Apply the merges in the order in which they were learned."""
    tokens = list(text.encode("utf-8"))
    for i, pair in enumerate(merges):
        tokens = merge_pair(tokens, pair, 256 + i)
    return torch.tensor(tokens, dtype=torch.int64, device="cpu")


def decode_text(tokens: torch.Tensor, merges: list[tuple[int, int]]) -> str:
    """Expand every token back to its bytes and decode them."""
    table = {i: bytes([i]) for i in range(256)}
    for i, (a, b) in enumerate(merges):
        table[256 + i] = table[a] + table[b]
    return b"".join(table[t] for t in tokens.tolist()).decode("utf-8", errors="replace")
