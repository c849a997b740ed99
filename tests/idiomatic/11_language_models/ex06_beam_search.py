import torch


def beam_score(total, length, alpha):
    return total / (((5 + length) / 6) ** alpha)


def best_continuations(totals, log_probs, beams):
    n, vocab = log_probs.shape
    scores = totals.unsqueeze(1) + log_probs
    values, indices = scores.view(-1).topk(min(beams, n * vocab))
    return values, indices // vocab, indices % vocab


def beam_search(next_log_probs, prompt, beams, end, longest, alpha=0.0):
    sequences = prompt.unsqueeze(0)
    totals = torch.zeros(1, device=prompt.device)
    finished = []
    for step in range(longest):
        log_probs = next_log_probs(sequences)
        totals, rows, tokens = best_continuations(totals, log_probs, beams)
        sequences = torch.cat([sequences[rows], tokens.unsqueeze(1)], dim=1)
        length = step + 1
        done = tokens == end
        if length == longest:
            done = torch.ones_like(done)
        for i in done.nonzero().flatten().tolist():
            finished.append((sequences[i, len(prompt) :], beam_score(totals[i].item(), length, alpha)))
        sequences = sequences[~done]
        totals = totals[~done]
        if len(sequences) == 0:
            break
    return max(finished, key=lambda pair: pair[1])
