"""Known words replace -1."""

import torch
from given.vocabulary import WORDS


def encode(text: list[str]) -> torch.Tensor:
    """Return the number of each word: its place in WORDS, or -1 for a word that is not in it."""
    numbers = torch.full((len(text),), -1)
    for i, word in enumerate(text):
        if word in WORDS:
            numbers[i] = WORDS.index(word)
    return numbers
