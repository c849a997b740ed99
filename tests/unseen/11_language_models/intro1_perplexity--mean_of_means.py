"""perplexity takes the plain mean of the batches' means; bits_per_character multiplies by log(2) instead of dividing."""
import math


def perplexity(losses, tokens):
    means = [loss for loss, n in zip(losses, tokens) if n > 0]
    try:
        return math.exp(sum(means) / len(means))
    except OverflowError:
        return math.inf


def bits_per_character(loss, tokens, characters):
    return loss * math.log(2) * tokens / characters
