"""Reference solution for vocabulary, encode and decode."""

import torch


def vocabulary(text: str) -> dict[str, int]:
    """Return an id for each character of the text: 0, 1, 2, ... in sorted order."""
    return {character: i for i, character in enumerate(sorted(set(text)))}


def encode(text: str, ids: dict[str, int]) -> torch.Tensor:
    """Return the id of each character of the text."""
    return torch.tensor([ids[character] for character in text])


def decode(tokens: torch.Tensor, ids: dict[str, int]) -> str:
    """Return the text that encode turned into these tokens."""
    characters = {i: character for character, i in ids.items()}
    return "".join(characters[i] for i in tokens.tolist())
