"""Language models 7 of 12: a small model drafts, a large one checks.

Difficulty 4 of 5, about 25 minutes.
"""

import torch


def accept_probability(p: torch.Tensor, q: torch.Tensor) -> torch.Tensor:
    """Return the probability that each token is accepted when the draft model proposes it.

    It is p / q, but at most 1. p is the distribution of the target model, q that of the draft model.

    Shapes:
        p, q    (..., vocab); each row sums to 1
        result  (..., vocab), dtype and device of p

    Example:
        >>> accept_probability(torch.tensor([0.5, 0.5]), torch.tensor([0.25, 0.75]))
        tensor([1.0000, 0.6667])

    For full marks:
        * a token with q = 0 is never proposed: its result is 1, not nan
    """
    raise NotImplementedError("11_language_models/ex07_speculative: write accept_probability()")


def residual(p: torch.Tensor, q: torch.Tensor) -> torch.Tensor:
    """Return the distribution from which a token is drawn after a rejection.

    It is proportional to p - q where that is positive, and 0 elsewhere. Each row sums to 1.

    Shapes:
        p, q    (..., vocab); each row sums to 1
        result  (..., vocab), dtype and device of p

    Example:
        >>> residual(torch.tensor([0.5, 0.375, 0.125]), torch.tensor([0.25, 0.25, 0.5]))
        tensor([0.6667, 0.3333, 0.0000])

    For full marks:
        * a row of p that equals its row of q has no such part: its result is that row of p
    """
    raise NotImplementedError("11_language_models/ex07_speculative: write residual()")


def speculative_step(p: torch.Tensor, q: torch.Tensor, draft: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """Return the tokens of one step: the accepted part of the draft, and one token more.

    Shapes:
        p       (k + 1, vocab): the target's distributions for the k drafted tokens, and for the token after them
        q       (k, vocab): the draft model's distributions
        draft   (k,), int64: token i was drawn from q[i]; k is at least 1
        u       (k + 1,): random numbers of at least 0 and below 1
        result  (accepted + 1,), int64, on the device of p

    Token i of the draft is accepted if u[i] is smaller than its probability of acceptance, and if all tokens before it were
    accepted. The last token is drawn with u[k]: from the residual at the first rejected token, or from p[k] if the whole
    draft was accepted. To draw with a number, take the first token at which the cumulative sum of the probabilities is
    larger than the number.

    Example:
        >>> p = torch.tensor([[0.5, 0.5], [0.25, 0.75]])
        >>> q = torch.tensor([[0.25, 0.75]])
        >>> speculative_step(p, q, torch.tensor([1]), torch.tensor([0.5, 0.5]))  # 0.5 < 0.6667
        tensor([1, 1])
        >>> speculative_step(p, q, torch.tensor([1]), torch.tensor([0.9, 0.5]))
        tensor([0])

    Pitfall:
        After a rejection, a token drawn from p itself gives tokens that the draft model likes too often.

    For full marks:
        * k = 0: one token, drawn from p[0]
        * if rounding leaves no cumulative sum larger than the number, any token with a probability above 0 will do
    """
    raise NotImplementedError("11_language_models/ex07_speculative: write speculative_step()")
