"""The story of the character model, its characters as numbers, and the loss of the best bigram model."""

from pathlib import Path

import torch

STORY = Path(__file__).with_name("story.txt").read_text(encoding="utf-8")
CHARACTERS = sorted(set(STORY))
_NUMBERS = {character: number for number, character in enumerate(CHARACTERS)}


def encode(text: str) -> torch.Tensor:
    """The number of each character, int64 of shape (len(text),). KeyError for a character that isn't in the story."""
    return torch.tensor([_NUMBERS[character] for character in text], dtype=torch.int64)


def decode(tokens: torch.Tensor) -> str:
    """The text that these numbers stand for."""
    return "".join(CHARACTERS[number] for number in tokens.tolist())


def bigram_loss(tokens: torch.Tensor, vocab: int) -> float:
    """The mean cross-entropy, in nats, of the best bigram model of a text: how often each token follows each other one.

    tokens is int64 of shape (length,), each from 0 to vocab - 1; length is at least 2.
    """
    pairs = torch.bincount(tokens[:-1] * vocab + tokens[1:], minlength=vocab * vocab).reshape(vocab, vocab).double()
    chances = pairs / pairs.sum(dim=1, keepdim=True).clamp(min=1)
    return -torch.special.xlogy(pairs, chances).sum().item() / pairs.sum().item()
