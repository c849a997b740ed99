"""Language models bonus 2: top-p sampling without sorting the vocabulary.

Difficulty 4 of 5, about 20 minutes.
"""

import torch


def draw_top_p(logits: torch.Tensor, p: float, u: torch.Tensor, start: int = 8) -> torch.Tensor:
    """Draw a token for each row from its nucleus, without a sort of the vocabulary.

    The nucleus of a row has its likeliest tokens, as few as have a total probability of at least p. From the likeliest on, the
    result is the first whose cumulative sum of probabilities is larger than u times the total of the nucleus.

    Take the `start` largest logits of each row. While the total of any row is below p, take twice as many, at most all.

    Shapes:
        logits  (batch, vocab), floating point; at least one row, and no two logits of a row are equal
        p       above 0, at most 1
        u       (batch,), dtype and device of logits: random numbers of at least 0 and below 1
        start   at least 1, may be larger than vocab
        result  (batch,), int64, on the device of logits

    Example:
        >>> logits = torch.tensor([[0.1, 0.5, 0.25, 0.15], [0.9, 0.02, 0.05, 0.03]]).log()
        >>> draw_top_p(logits, p=0.7, u=torch.tensor([0.7, 0.7]))  # the nuclei are 1, 2 and 0
        tensor([2, 0])

    Pitfall:
        The softmax goes over all logits. Over the largest ones alone, the nucleus becomes too small.

    Not allowed: a sort (then this exercise is not done). A vocabulary has 100,000 tokens, a nucleus often ten.

    For full marks:
        * with p = 1 every token can be drawn; with p near 0 only the likeliest
        * logits may be as large as 1000, or as low as -1000
    """
    raise NotImplementedError("11_language_models/bonus2_top_p: write draw_top_p()")
