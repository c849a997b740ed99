"""Known mistakes and unusual but correct solutions for beam_score, best_continuations and beam_search."""

import heapq
import math

import torch
from ex06_beam_search import beam_score

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "off_by_one: winner, score = prompt[:], -math.inf": "the first finished text replaces it",
    "change_number: winner, score = prompt[:1], -math.inf": "the first finished text replaces it",
    "change_dim: texts = torch.cat([texts[rows], tokens[:, None]], dim=-1)": "there are two axes",
    "drop_keyword: for text, total in zip(texts[finished], totals[finished].tolist()):": "there are as many texts as totals",
    "loop_once: break after winner, score = text[len(prompt) :], beam_score(total, length, alpha)": "the texts of a step have one length, and the best comes first",
    "drop_copy: if len(totals) == 0 or score >= beam_score(totals[0], longest, alpha):": "a tensor with one number can be compared, too",
}

HINTS = (
    "Do two steps with two beams on paper, with the table of the lesson. Which texts are open after each step, and which are finished?",
    "All totals of a step form a table, a row for each open text. topk over the flat table finds the best, and from a place in it you get the row and the token. "
    "Keep the best finished text beside the loop.",
    "In each step: call next_log_probs, get totals, rows and tokens, rearrange the texts by rows and append the tokens. Compare the finished ones with the best "
    "so far by their scores. Continue with those that are not finished, unless there are none.",
)


multiplies = mistake.edited("return total / ((5 + length) / 6)", "return total * ((5 + length) / 6)",
    "The total was multiplied by the length penalty, so long texts get worse: divide.",
    common=True)

forgets_the_five = mistake.edited("return total / ((5 + length) / 6) ** alpha", "return total / length**alpha",
    "The total was divided by length ** alpha, another penalty: this one is ((5 + length) / 6) ** alpha.",
    common=True)

alpha_as_a_factor = mistake.edited("return total / ((5 + length) / 6) ** alpha", "return total / ((5 + length) / 6 * alpha if alpha else 1)",
    "alpha is a factor in the penalty: it is the exponent.")

best_of_each_text = mistake.edited(
    "every = (totals[:, None] + log_probs).flatten()\nbest, places = every.topk(min(beams, len(every)))",
    """
    every = totals[:, None] + log_probs
    best, tokens = every.max(dim=1)
    best, order = best.sort(descending=True)
    best, places = best[:beams], (order * log_probs.shape[1] + tokens[order])[:beams]
    """,
    "Each text was continued with its best token alone: take the best of all continuations, which may have the same text.",
    common=True)

forgets_the_totals = mistake.edited("(totals[:, None] + log_probs).flatten()", "log_probs.flatten()",
    "The new totals are those of the last token alone: add the total of the text that it continues.",
    common=True)

adds_along_the_vocabulary = mistake.edited("every = (totals[:, None] + log_probs).flatten()",
    "every = (totals.repeat(log_probs.shape[1])[: log_probs.numel()].reshape(log_probs.shape) + log_probs).flatten()",
    "The totals were added along the wrong axis: each row of log_probs belongs to one total.")

multiplies_totals = mistake.edited("totals[:, None] + log_probs", "totals[:, None] * log_probs",
    "Totals and log probabilities were multiplied: the logarithm of a product is a sum.")

exchanges_row_and_token = mistake.edited("return best, places // vocab, places % vocab", "return best, places % vocab, places // vocab",
    "Texts and tokens are exchanged: the place in the flat table divided by vocab is the text, the remainder is the token.",
    common=True)

divides_by_the_texts = mistake.edited("vocab = log_probs.shape[1]", "vocab = log_probs.shape[0]",
    "The place in the flat table was divided by the number of texts: a row has vocab elements.",
    common=True)

takes_the_worst = mistake.edited(".topk(min(beams, len(every)))", ".topk(min(beams, len(every)), largest=False)",
    "The worst continuations were kept: take the largest totals.")

worst_first = mistake.edited("best, places = every.topk(min(beams, len(every)))", "best, places = (part.flip(0) for part in every.topk(min(beams, len(every))))",
    "The order is reversed: the best continuation comes first.")

asks_for_too_many = mistake.edited("every.topk(min(beams, len(every)))", "every.topk(beams)",
    "With fewer continuations than beams there is an error: topk can't find more elements than there are.",
    common=True)

keeps_the_impossible = mistake.edited("best, places = best[best > -math.inf], places[best > -math.inf]", "",
    "Continuations with a total of -inf were returned: a model that continues an impossible text may return nan.",
    about="impossible_continuations_are_left_out", common=True)

first_finished = mistake.edited("if len(totals) == 0 or score", "if score > -math.inf or score",
    "The search stops when the first text is finished: another text may still become better.",
    common=True, pitfall="finished first need not be the best")

last_finished = mistake.edited("if beam_score(total, length, alpha) > score:", "if True:",
    "The result is the text that was finished last: keep the best one of all steps.",
    also=[(" or score >= beam_score(totals[0].item(), longest, alpha)", "")])

forgets_the_finished = mistake.edited("texts, totals = texts[~finished], totals[~finished]",
    """
    if not finished.all():
        winner, score = prompt[:0], -math.inf
    texts, totals = texts[~finished], totals[~finished]
    """,
    "Texts that were finished in an earlier step are lost: they stay candidates until the end.",
    common=True)

compares_totals = mistake.edited("if beam_score(total, length, alpha) > score:", "if total > totals_of_winner:",
    "The finished texts were compared by their totals: compare their scores.",
    also=[("winner, score = prompt[:0], -math.inf", "winner, score, totals_of_winner = prompt[:0], -math.inf, -math.inf"),
          ("winner, score = text[len(prompt) :], beam_score(total, length, alpha)",
           "winner, score, totals_of_winner = text[len(prompt) :], beam_score(total, length, alpha), total")], common=True)

returns_the_total = mistake.edited("return winner, score", "return winner, score * ((5 + len(winner)) / 6) ** alpha",
    "The second result is the total of the text: return its score.")

length_with_the_prompt = mistake.edited(
    "if beam_score(total, length, alpha) > score:\n    winner, score = text[len(prompt) :], beam_score(total, length, alpha)",
    "if beam_score(total, len(text), alpha) > score:\n    winner, score = text[len(prompt) :], beam_score(total, len(text), alpha)",
    "The length includes the prompt: count the new tokens alone.",
    common=True)

length_without_the_end = mistake.edited(
    "if beam_score(total, length, alpha) > score:\n    winner, score = text[len(prompt) :], beam_score(total, length, alpha)",
    "count = length - int(text[-1] == end)\nif beam_score(total, count, alpha) > score:\n    winner, score = text[len(prompt) :], beam_score(total, count, alpha)",
    "The length doesn't count the token that ends the text: it does.")

returns_the_prompt = mistake.edited("text[len(prompt) :], beam", "text, beam",
    "The result begins with the prompt: return the new tokens alone.",
    common=True)

cuts_off_the_end = mistake.edited("return winner, score", "return winner[: len(winner) - int(len(winner) and winner[-1] == end)], score",
    "The token that ends the text is missing in the result.")

texts_are_not_rearranged = mistake.edited("texts[rows], tokens[:, None]", "texts[torch.arange(len(rows)) % len(texts)], tokens[:, None]",
    "The tokens were appended to the wrong texts: first select the text that each of them continues.",
    common=True)

continues_finished_texts = mistake.edited("texts, totals = texts[~finished], totals[~finished]", "",
    "Texts that have ended were continued: go on with the open ones alone.",
    common=True)

longest_needs_an_end = mistake.edited("(tokens == end) | (length == longest)", "tokens == end",
    "Texts with the most new tokens are not finished: they are candidates, too, without the end.",
    common=True)

one_token_less = mistake.edited("range(1, longest + 1)", "range(1, longest)",
    "Texts are cut off one token too early: they may have `longest` new tokens.",
    also=[("length == longest", "length == longest - 1")])

starts_with_copies = mistake.edited("texts, totals = prompt[None], torch.zeros(1, device=prompt.device)",
    "texts, totals = prompt.repeat(beams, 1), torch.zeros(beams, device=prompt.device)",
    "The search follows a single text, as if it began with several copies of the prompt, which stay alike: begin with the prompt alone, and keep the best `beams` continuations.",
    common=True)

one_call_for_each_text = mistake.edited("next_log_probs(texts)", "torch.cat([next_log_probs(text[None]) for text in texts])",
    "The model is called once for each text: call it once with all open texts.",
    about="one_call_for_all_open_texts", common=True)

never_stops_early = mistake.edited(" or score >= beam_score(totals[0].item(), longest, alpha)", "",
    "The search went on although no open text could win any more.",
    about="the_search_stops_when_nothing_can_win", common=True)

bound_at_this_length = mistake.edited("beam_score(totals[0].item(), longest, alpha)", "beam_score(totals[0].item(), length, alpha)",
    "The search stopped too early: an open text may still get the length penalty of the longest length.",
    about="the_search_stops_when_nothing_can_win", common=True)

stops_with_as_many_as_beams = mistake.edited("if len(totals) == 0 or score >= beam_score(totals[0].item(), longest, alpha):", "count += int(finished.sum())\nif count >= beams:",
    "The search stopped when as many texts were finished as there are beams: an open one may still win.",
    also=[("winner, score = prompt[:0], -math.inf", "winner, score, count = prompt[:0], -math.inf, 0")])

@mistake("beam_search")
def finished_texts_take_places(next_log_probs, prompt, beams, end, longest, alpha=0.0):
    """Texts that were finished earlier took places among the `beams` best: set them aside, and keep as many open ones as there are."""
    kept = [(prompt.tolist(), 0.0)]
    for _ in range(longest):
        waiting = [(text, total) for text, total in kept if text[-1] != end or len(text) == len(prompt)]
        if not waiting:
            break
        rows = next_log_probs(torch.tensor([text for text, _ in waiting], device=prompt.device)).tolist()
        every = [entry for entry in kept if entry not in waiting]
        every += [([*text, token], total + more) for (text, total), row in zip(waiting, rows, strict=True) for token, more in enumerate(row)]
        kept = sorted(every, key=lambda entry: -entry[1])[:beams]
    best, total = max(kept, key=lambda entry: beam_score(entry[1], len(entry[0]) - len(prompt), alpha))
    return torch.tensor(best[len(prompt) :], device=prompt.device), beam_score(total, len(best) - len(prompt), alpha)


begins_on_the_cpu = mistake.edited("torch.zeros(1, device=prompt.device)", "torch.zeros(1)",
    "A tensor is on the CPU although the prompt isn't.",
    about="texts_stay_on_their_device")


@alternative("best_continuations")
def by_sorting(totals, log_probs, beams):
    """All places sorted, and unravel_index."""
    every = totals.unsqueeze(1) + log_probs
    order = every.reshape(-1).argsort(descending=True)[:beams]
    order = order[torch.isfinite(every.reshape(-1)[order])]
    rows, tokens = torch.unravel_index(order, every.shape)
    return every[rows, tokens], rows, tokens


@alternative("best_continuations")
def the_best_of_each_first(totals, log_probs, beams):
    """The best of each text, then the best of these."""
    count = min(beams, log_probs.shape[1])
    best, tokens = (log_probs + totals.view(-1, 1)).topk(count, dim=-1)
    k = min(beams, int((best > -math.inf).sum()))
    best, places = best.view(-1).topk(k)
    return best, torch.div(places, count, rounding_mode="floor"), tokens.view(-1)[places]


@alternative("beam_search")
def with_lists(next_log_probs, prompt, beams, end, longest, alpha=0.0):
    """Lists of tokens and a heap."""
    texts, finished = [(0.0, [])], []
    while texts:
        prefixes = torch.tensor([prompt.tolist() + tokens for _, tokens in texts], device=prompt.device)
        found = [
            (total + more, [*tokens, token])
            for (total, tokens), row in zip(texts, next_log_probs(prefixes).tolist(), strict=True)
            for token, more in enumerate(row)
        ]
        texts = []
        for total, tokens in heapq.nlargest(beams, found):
            if tokens[-1] == end or len(tokens) == longest:
                finished.append((beam_score(total, len(tokens), alpha), tokens))
            else:
                texts.append((total, tokens))
        if finished and texts and max(finished)[0] >= beam_score(max(texts)[0], longest, alpha):
            break
    score, tokens = max(finished)
    return torch.tensor(tokens, device=prompt.device), score


@alternative("beam_search")
def each_open_text_by_itself(next_log_probs, prompt, beams, end, longest, alpha=0.0):
    """A mask of the open texts, whose tokens are written into a table, and a bound for each of them."""
    table = torch.zeros(1, longest, dtype=torch.int64, device=prompt.device)
    totals, finished = [0.0], {}
    for length in range(longest):
        log_probs = next_log_probs(torch.cat([prompt.expand(len(table), -1), table[:, :length]], dim=1))
        every = log_probs + torch.tensor(totals, dtype=log_probs.dtype, device=log_probs.device).view(-1, 1)
        order = every.flatten().argsort(descending=True)[:beams].tolist()
        rows, vocab = [], every.shape[1]
        for place in order:
            row = table[place // vocab].clone()
            row[length] = place % vocab
            rows.append((row, every.flatten()[place].item()))
        for row, total in rows:
            if row[length] == end or length == longest - 1:
                finished[tuple(row[: length + 1].tolist())] = beam_score(total, length + 1, alpha)
        rows = [(row, total) for row, total in rows if row[length] != end]
        if not rows or any(all(score >= beam_score(total, longest, alpha) for _, total in rows) for score in finished.values()):
            break
        table, totals = torch.stack([row for row, _ in rows]), [total for _, total in rows]
    best = max(finished, key=finished.get)
    return torch.tensor(best, device=prompt.device), finished[best]
