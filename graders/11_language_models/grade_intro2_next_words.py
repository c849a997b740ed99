"""Hidden checks for last_logits and next_words: padding, order, probabilities."""

import math

import torch

from torchdojo.grading import check, tensor

CONCEPTS = ("L15",)

WORDS = "the cat sat on mat and saw a dog in my old red car".split()
CLOSE = (1e-5, 1e-5)  # float32: probabilities differ by up to 1e-7


class oracle:
    """One sequence after the other, and sorted pairs."""

    def last_logits(logits, lengths):
        return torch.stack([rows[:length][-1] for rows, length in zip(logits, lengths.tolist(), strict=True)])

    def next_words(logits, words, k):
        weights = [math.exp(x) for x in logits.tolist()]
        pairs = sorted(((w / sum(weights), word) for w, word in zip(weights, words, strict=True)), reverse=True)
        return [(word, p) for p, word in pairs[:k]]


@check(points=3, logits=tensor("batch time vocab"), turns=[0, 1, 2], minimum=1)
def the_last_real_position_is_read(solution, logits, turns):
    """Each sequence has the logits after its last real token, whatever its length."""
    lengths = (torch.arange(len(logits), device=logits.device) * 2 + turns) % logits.shape[1] + 1
    return solution.last_logits(logits, lengths)


@check(points=2, logits=tensor("vocab", distinct=True), k=[1, 2, 3], minimum={"vocab": 3})
def likely_words_come_first(solution, logits, k):
    """The k most likely words are returned, the most likely first."""
    return [word for word, _ in solution.next_words(logits, WORDS[: len(logits)], k)]


@check(points=3, logits=tensor("vocab", distinct=True), k=[1, 2, 3], minimum={"vocab": 3}, tolerance=CLOSE)
def probabilities_are_among_all_words(solution, logits, k):
    """Each returned word has its probability among all words, as a Python float."""
    return {word: p for word, p in solution.next_words(logits, WORDS[: len(logits)], k)}


@check(points=1, star=True, logits=tensor("vocab", distinct=True), more=[1, 5], minimum={"vocab": 2})
def a_large_k_returns_all_words(solution, logits, more):
    """With k larger than the number of words, all words are returned."""
    return sorted(word for word, _ in solution.next_words(logits, WORDS[: len(logits)], len(logits) + more))
