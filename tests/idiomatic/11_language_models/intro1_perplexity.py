import math


def perplexity(losses, tokens):
    total = sum(loss * n for loss, n in zip(losses, tokens))
    return math.exp(total / sum(tokens))


def bits_per_character(loss, tokens, characters):
    bits = loss * tokens / math.log(2)
    return bits / characters
