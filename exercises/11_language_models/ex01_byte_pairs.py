"""Language models 1 of 12: byte-pair encoding, from bytes to tokens and back.

Difficulty 3 of 5, about 30 minutes.
"""

import torch


def merge_pair(tokens: list[int], pair: tuple[int, int], new: int) -> list[int]:
    """Return the tokens with the id `new` in place of each occurrence of the pair, from left to right.

    Example:
        >>> merge_pair([5, 7, 7, 7, 5], (7, 7), 256)
        [5, 256, 7, 5]
    """
    raise NotImplementedError("11_language_models/ex01_byte_pairs: write merge_pair()")


def train_merges(text: str, count: int) -> list[tuple[int, int]]:
    """Return the first `count` merges that byte-pair encoding learns from the text.

    The tokens are at first the UTF-8 bytes of the text. Each round merges the pair of neighbors that occurs most often.
    Round i gives it the id 256 + i; the next round counts the new tokens. In a tie, the smallest pair wins, as Python
    compares tuples. Occurrences that overlap count, too: (7, 7) occurs twice in 7, 7, 7.

    Example:
        >>> train_merges("the cat sat on the mat", 2)  # "at" occurs three times, then "e " twice
        [(97, 116), (101, 32)]

    For full marks:
        * training stops early if no pair occurs at least twice; the result then has fewer merges
    """
    raise NotImplementedError("11_language_models/ex01_byte_pairs: write train_merges()")


def encode_text(text: str, merges: list[tuple[int, int]]) -> torch.Tensor:
    """Return the tokens of the text.

    Shapes:
        result  (tokens,), int64, on the CPU

    The merges are applied to the bytes of the text in their order, each to the whole text.

    Example:
        >>> encode_text("matte", [(97, 116), (101, 32)])
        tensor([109, 256, 116, 101])

    Pitfall:
        The order of the merges decides, not that of the text: with (b, c) first and (a, b) second, "abc" becomes a, bc.

    For full marks:
        * an empty text has an empty int64 tensor
    """
    raise NotImplementedError("11_language_models/ex01_byte_pairs: write encode_text()")


def decode_text(tokens: torch.Tensor, merges: list[tuple[int, int]]) -> str:
    """Return the text that encode_text turned into these tokens.

    Shapes:
        tokens  (tokens,), int64, on any device
        merges  the merges that the tokens were made with

    Example:
        >>> decode_text(torch.tensor([109, 256, 116, 101]), [(97, 116), (101, 32)])
        'matte'

    Pitfall:
        The bytes of one character may belong to several tokens, so a single token may be no text.

    For full marks:
        * bytes that are no UTF-8 become the character U+FFFD, as bytes.decode(errors="replace") does it
    """
    raise NotImplementedError("11_language_models/ex01_byte_pairs: write decode_text()")
