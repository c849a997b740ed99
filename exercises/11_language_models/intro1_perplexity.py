"""Language models intro 1: the loss as a perplexity, and as bits per character.

Difficulty 1 of 5, about 8 minutes.
"""

import math


def perplexity(losses: list[float], tokens: list[int]) -> float:
    """Return the perplexity of a text that a model read in batches.

    Arguments:
        losses  the mean cross-entropy of each batch, in nats per token, as cross_entropy returns it
        tokens  how many tokens each of these means is over

    It is the exponential of the mean loss over all tokens of all batches.

    Example:
        >>> perplexity([math.log(2), math.log(16)], [2, 1])  # 2 * log(2) + log(16) = 3 * log(4)
        4.0

    Pitfall:
        The last batch is often smaller. The mean of the batches' means counts its tokens too much.

    For full marks:
        * a batch with 0 tokens doesn't count, even if its loss is nan
        * if the exponential is too large for a float, the result is inf; math.exp(1000) raises an OverflowError
    """
    raise NotImplementedError("11_language_models/intro1_perplexity: write perplexity()")


def bits_per_character(loss: float, tokens: int, characters: int) -> float:
    """Return how many bits a model needs for a character, on average.

    Arguments:
        loss        the mean cross-entropy, in nats per token
        tokens      the number of tokens
        characters  the number of their characters

    The bits of all tokens together are divided by the number of characters. A bit is log(2) nats.

    Example:
        >>> bits_per_character(math.log(8), tokens=2, characters=4)  # 3 bits for each of 2 tokens
        1.5
    """
    raise NotImplementedError("11_language_models/intro1_perplexity: write bits_per_character()")
