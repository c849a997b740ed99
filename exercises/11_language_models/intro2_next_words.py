"""Language models intro 2: read the next words from a model's logits.

Difficulty 1 of 5, about 10 minutes.
"""

import torch


def last_logits(logits: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Return the logits after the last token of each sequence.

    Shapes:
        logits   (batch, time, vocab), floating point
        lengths  (batch,), int64, from 1 to time
        result   (batch, vocab), dtype and device of logits

    The first lengths[i] tokens of sequence i are real; padding follows. The logits at a position predict the next token.

    Example:
        >>> logits = torch.tensor([[[0.0, 1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0, 7.0]]])
        >>> last_logits(logits, torch.tensor([2, 1]))
        tensor([[2., 3.],
                [4., 5.]])

    Pitfall:
        logits[:, -1] are the logits after the padding.
    """
    raise NotImplementedError("11_language_models/intro2_next_words: write last_logits()")


def next_words(logits: torch.Tensor, words: list[str], k: int) -> list[tuple[str, float]]:
    """Return the k most likely next words with their probabilities, the most likely first.

    Shapes:
        logits  (vocab,), floating point; no two are equal
        words   a list of strings, one for each logit
        result  a list of k pairs (word, probability); the probabilities are Python floats

    Example:
        >>> next_words(torch.tensor([0.0, 2.0, 1.0]).log(), ["cat", "mat", "hat"], k=1)
        [('mat', 0.6666666865348816)]

    Pitfall:
        Softmax over the k largest logits makes them sum to 1.

    For full marks:
        * with k larger than the number of words, all words are returned
    """
    raise NotImplementedError("11_language_models/intro2_next_words: write next_words()")
