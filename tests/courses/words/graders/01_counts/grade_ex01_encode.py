"""Hidden checks for encode."""

import torch
from given.vocabulary import WORDS
from texts import TEXTS

from torchdojo.grading import check


class oracle:
    """One word after the other."""

    def encode(text):
        return torch.tensor([WORDS.index(word) if word in WORDS else -1 for word in text], dtype=torch.int64)


@check(points=2, text=TEXTS, devices=False)
def words_become_numbers(solution, text):
    """Each word is its place in WORDS, and -1 without one."""
    return solution.encode(text)
