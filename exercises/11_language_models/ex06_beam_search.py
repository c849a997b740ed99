"""Language models 6 of 12: beam search, which follows several texts at once.

Difficulty 4 of 5, about 30 minutes.
"""

import torch


def beam_score(total: float, length: int, alpha: float) -> float:
    """Return the score of a text: its total log probability divided by ((5 + length) / 6) ** alpha.

    Example:
        >>> beam_score(-1.5, length=4, alpha=1.0)
        -1.0
    """
    raise NotImplementedError("11_language_models/ex06_beam_search: write beam_score()")


def best_continuations(
    totals: torch.Tensor, log_probs: torch.Tensor, beams: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the best of all texts that are one token longer: their totals, the texts that they continue, their new tokens.

    Shapes:
        totals     (n,): the total log probability of each text so far
        log_probs  (n, vocab): the log probabilities of its next tokens
        result     totals, dtype of log_probs, indices of texts, int64, and tokens, int64: three tensors (k,), the best first;
                   k is the smaller of beams and n * vocab

    Example:
        >>> best_continuations(torch.tensor([-1.0, -2.0]), torch.tensor([[-4.0, -3.0, -0.5], [-0.75, -1.0, -9.0]]), beams=2)
        (tensor([-1.5000, -2.7500]), tensor([0, 1]), tensor([2, 0]))

    For full marks:
        * continuations with a total of -inf are left out, so there may be fewer than k
    """
    raise NotImplementedError("11_language_models/ex06_beam_search: write best_continuations()")


def beam_search(
    next_log_probs, prompt: torch.Tensor, beams: int, end: int, longest: int, alpha: float = 0.0
) -> tuple[torch.Tensor, float]:
    """Return the best text that the search finds: its new tokens, and its score.

    Arguments:
        next_log_probs  a function from texts (n, time), int64, prompt included, to the log probabilities of their next tokens,
                        (n, vocab)
        prompt          (time,), int64, at least one token
        end             the token that ends a text
        longest         the most new tokens, at least 1
        alpha           at least 0
        result          the new tokens, (length,), int64, on the device of prompt, and a float

    Each step calls next_log_probs once with all open texts, at first the prompt alone, and keeps the best `beams`
    continuations. Those that end with `end` or have `longest` new tokens are finished; the others are open. The search is over
    when none is open. The result is the finished text with the best score, from any step. Totals and lengths are those of the
    new tokens, `end` included. Between equal totals or scores, either will do.

    Use the two functions above; nearly all hidden checks replace them with right ones here.

    Example:
        >>> table = torch.tensor([[0.5, 0.5, 0.0], [0.25, 0.5, 0.25], [1.0, 0.0, 0.0]])  # a row for each last token
        >>> beam_search(lambda texts: table[texts[:, -1]].log(), torch.tensor([1]), beams=2, end=0, longest=3)
        (tensor([0]), -1.3862943649291992)

    Pitfall:
        The text that is finished first need not be the best.

    For full marks:
        * the search is also over as soon as no open text can win. The best score that a text with the total t can still get is
          beam_score(t, longest, alpha).
    """
    raise NotImplementedError("11_language_models/ex06_beam_search: write beam_search()")
