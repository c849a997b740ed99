"""The story of the character model, its two parts, its characters as numbers, and the loss of a bigram model."""

from pathlib import Path

import torch

STORY = Path(__file__).with_name("story.txt").read_text(encoding="utf-8")
CHARACTERS = sorted(set(STORY))
TRAINING, HELD_OUT = STORY[: len(STORY) * 9 // 10], STORY[len(STORY) * 9 // 10 :]  # the end of the story is held out
_NUMBERS = {character: number for number, character in enumerate(CHARACTERS)}


def encode(text: str) -> torch.Tensor:
    """The number of each character, int64 of shape (len(text),). KeyError for a character that isn't in the story."""
    return torch.tensor([_NUMBERS[character] for character in text], dtype=torch.int64)


def decode(tokens: torch.Tensor) -> str:
    """The text that these numbers stand for."""
    return "".join(CHARACTERS[number] for number in tokens.tolist())


def bigram_loss(tokens: torch.Tensor, held_out: torch.Tensor, vocab: int) -> float:
    """The mean cross-entropy, in nats, on held_out of a bigram model that counted the pairs in tokens.

    Both are int64 of shape (length,), each from 0 to vocab - 1. Each pair counts 0.1 more, so that no pair is impossible.
    """
    pairs = torch.bincount(tokens[:-1] * vocab + tokens[1:], minlength=vocab * vocab).reshape(vocab, vocab) + 0.1
    log_p = (pairs / pairs.sum(dim=1, keepdim=True)).log()
    return -log_p[held_out[:-1], held_out[1:]].mean().item()
