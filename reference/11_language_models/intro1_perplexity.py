"""Reference solution: sums first, one division, then the exponential."""

import math


def perplexity(losses: list[float], tokens: list[int]) -> float:
    """Return the perplexity of a text that a model read in batches."""
    total = sum(loss * count for loss, count in zip(losses, tokens, strict=True) if count > 0)
    try:
        return math.exp(total / sum(tokens))
    except OverflowError:
        return math.inf


def bits_per_character(loss: float, tokens: int, characters: int) -> float:
    """Return how many bits a model needs for a character, on average."""
    return loss * tokens / (math.log(2) * characters)
