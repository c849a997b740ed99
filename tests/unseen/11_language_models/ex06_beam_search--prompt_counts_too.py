"""beam_search gives beam_score the length of the whole text, prompt included, where only the new tokens should count, so with alpha above 0 the scores are wrong and sometimes another text wins."""

import torch


def beam_score(total, length, alpha):
    penalty = ((5 + length) / 6) ** alpha
    return total / penalty


def best_continuations(totals, log_probs, beams):
    n, vocab = log_probs.shape
    table = (totals[:, None] + log_probs).to(log_probs.dtype).reshape(-1)
    k = min(beams, n * vocab)
    best, places = table.topk(k)
    possible = best > float("-inf")
    best = best[possible]
    places = places[possible]
    return best, places // vocab, places % vocab


def beam_search(next_log_probs, prompt, beams, end, longest, alpha=0.0):
    n_prompt = len(prompt)
    texts = prompt.reshape(1, -1)
    totals = None
    winner = None
    winner_score = float("-inf")

    while len(texts) > 0:
        log_probs = next_log_probs(texts)
        if totals is None:
            totals = torch.zeros(1, dtype=log_probs.dtype, device=log_probs.device)
        totals, rows, words = best_continuations(totals, log_probs, beams)
        texts = torch.cat([texts[rows.to(texts.device)], words.to(texts.device)[:, None]], dim=1)
        full = texts.shape[1] - n_prompt == longest

        open_rows = []
        for i in range(len(texts)):
            if full or texts[i, -1].item() == end:
                score = beam_score(totals[i].item(), len(texts[i]), alpha)
                if winner is None or score > winner_score:
                    winner = texts[i, n_prompt:]
                    winner_score = score
            else:
                open_rows.append(i)

        texts = texts[open_rows]
        totals = totals[open_rows]

        if winner is not None and len(open_rows) > 0:
            hope = max(beam_score(t, n_prompt + longest, alpha) for t in totals.tolist())
            if winner_score >= hope:
                break

    return winner, winner_score
