"""Attention intro 1: text becomes numbers, and numbers become text.

Difficulty 1 of 5, about 8 minutes.
"""

import torch


def vocabulary(text: str) -> dict[str, int]:
    """Return an id for each character of the text: 0, 1, 2, ... in sorted order.

    Example:
        >>> vocabulary("banana")
        {'a': 0, 'b': 1, 'n': 2}

    Pitfall:
        A set has no order. Sort it, or the ids change from run to run.
    """
    raise NotImplementedError("10_attention/intro1_token_ids: write vocabulary()")


def encode(text: str, ids: dict[str, int]) -> torch.Tensor:
    """Return the id of each character of the text.

    Shapes:
        ids     an id for each character that may appear
        result  (characters,), int64

    Example:
        >>> encode("nab", {"a": 0, "b": 1, "n": 2})
        tensor([2, 0, 1])
    """
    raise NotImplementedError("10_attention/intro1_token_ids: write encode()")


def decode(tokens: torch.Tensor, ids: dict[str, int]) -> str:
    """Return the text that encode turned into these tokens.

    Shapes:
        tokens  (characters,), int64
        ids     an id for each character; no two characters have the same id

    Example:
        >>> decode(torch.tensor([2, 0, 1]), {"a": 0, "b": 1, "n": 2})
        'nab'

    Pitfall:
        An element of a tensor is a tensor, and a dict doesn't find it: tokens.tolist() gives plain numbers.
    """
    raise NotImplementedError("10_attention/intro1_token_ids: write decode()")
