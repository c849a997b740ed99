"""A dict finds the number of a word."""

import torch
from given.vocabulary import WORDS


def encode(text: list[str]) -> torch.Tensor:
    """Return the number of each word: its place in WORDS, or -1 for a word that is not in it."""
    places = {word: i for i, word in enumerate(WORDS)}
    return torch.tensor([places.get(word, -1) for word in text], dtype=torch.int64)
