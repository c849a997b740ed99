"""decode takes the n-th key of the dict for id n: it is right only if the dict lists its characters in the order of their ids."""
import torch


def vocabulary(text: str) -> dict[str, int]:
    ids = {}
    for character in sorted(set(text)):
        ids[character] = len(ids)
    return ids


def encode(text: str, ids: dict[str, int]) -> torch.Tensor:
    return torch.tensor([ids[character] for character in text], dtype=torch.int64)


def decode(tokens: torch.Tensor, ids: dict[str, int]) -> str:
    characters = list(ids)
    return "".join(characters[i] for i in tokens.tolist())
