"""Attention 8 of 11: draw the next token, with temperature, top-k and top-p.

Difficulty 3 of 5, about 20 minutes.
"""

import torch


def token_probabilities(
    logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> torch.Tensor:
    """Return the probabilities from which the next token is drawn.

    Shapes:
        logits  (batch, vocab), floating point; no two logits of a row are equal
        result  (batch, vocab), dtype and device of logits; each row sums to 1

    In this order:
        * the logits are divided by the temperature. Temperature 0 is greedy: the largest logit has probability 1.
        * top_k keeps the top_k largest logits of each row
        * top_p keeps the smallest set of most likely tokens whose probabilities add up to top_p or more. The
          probabilities are those after the steps above. top_p is above 0 and at most 1: 1.0 keeps every token, and
          however small it is, the most likely token is kept.
        * what isn't kept has probability 0, and the rest sums to 1 again

    Example:
        >>> logits = torch.tensor([[0.5, 0.25, 0.125, 0.125001]]).log()
        >>> token_probabilities(logits, top_k=2)
        tensor([[0.6667, 0.3333, 0.0000, 0.0000]])
        >>> token_probabilities(logits, top_p=0.6)
        tensor([[0.6667, 0.3333, 0.0000, 0.0000]])

    Pitfall:
        A logit of 0 is not a probability of 0. What is left out gets the logit -inf.

    For full marks:
        * top_k larger than vocab keeps all tokens
        * a logit of -inf has probability 0, whatever the other arguments are
    """
    raise NotImplementedError("10_attention/ex08_sample_token: write token_probabilities()")


def draw(probabilities: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    """Return a random token for each row, drawn with its probabilities.

    Shapes:
        probabilities  (batch, vocab)
        result         (batch,), int64

    The random numbers come from `generator`; None: PyTorch's global one. Each row is drawn independently.

    Example:
        >>> draw(torch.tensor([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]))
        tensor([1, 0])
    """
    raise NotImplementedError("10_attention/ex08_sample_token: write draw()")
