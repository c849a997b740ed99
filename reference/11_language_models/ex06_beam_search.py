"""Reference solution: topk over all continuations, and the best finished text so far."""

import math

import torch


def beam_score(total: float, length: int, alpha: float) -> float:
    """Return the score of a text: its total log probability divided by ((5 + length) / 6) ** alpha."""
    return total / ((5 + length) / 6) ** alpha


def best_continuations(
    totals: torch.Tensor, log_probs: torch.Tensor, beams: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the best of all texts that are one token longer: their totals, the texts that they continue, their new tokens."""
    every = (totals[:, None] + log_probs).flatten()
    best, places = every.topk(min(beams, len(every)))
    best, places = best[best > -math.inf], places[best > -math.inf]
    vocab = log_probs.shape[1]
    return best, places // vocab, places % vocab


def beam_search(
    next_log_probs, prompt: torch.Tensor, beams: int, end: int, longest: int, alpha: float = 0.0
) -> tuple[torch.Tensor, float]:
    """Return the best text that the search finds: its new tokens, and its score."""
    texts, totals = prompt[None], torch.zeros(1, device=prompt.device)
    winner, score = prompt[:0], -math.inf
    for length in range(1, longest + 1):
        totals, rows, tokens = best_continuations(totals, next_log_probs(texts), beams)
        texts = torch.cat([texts[rows], tokens[:, None]], dim=1)
        finished = (tokens == end) | (length == longest)
        for text, total in zip(texts[finished], totals[finished].tolist(), strict=True):
            if beam_score(total, length, alpha) > score:
                winner, score = text[len(prompt) :], beam_score(total, length, alpha)
        texts, totals = texts[~finished], totals[~finished]
        if len(totals) == 0 or score >= beam_score(totals[0].item(), longest, alpha):
            break
    return winner, score
