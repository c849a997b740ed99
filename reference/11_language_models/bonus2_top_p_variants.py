"""Known mistakes and unusual but correct solutions for draw_top_p."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "change_comparison: place = (sums < u[:, None] * sums.gather(-1, last)).sum(dim=-1, keepdim=True)": "whether two such numbers are equal is a matter of rounding",
    "flip_minus: vocab, total = logits.shape[1], logits.logsumexp(dim=-1, keepdim=True)": "there are two dimensions",
    "in_place: sums = (largest - total).exp_().cumsum(dim=-1)": "the difference is a new tensor",
    "in_place: last = (sums < p).sum(dim=-1, keepdim=True).clamp_(max=k - 1)": "the sum is a new tensor",
    "change_dim: return tokens.gather(1, place)[:, 0]": "there are two dimensions",
}

HINTS = (
    "topk returns the largest logits in order. What else do you need to turn them into probabilities of the whole vocabulary?",
    "logsumexp over all logits is one pass without an order. exp(logit - logsumexp) is a probability. If the cumulative sum of the k largest ends below p in any "
    "row, try 2 * k.",
    "In a loop: topk, probabilities, cumulative sum; stop if every row's last sum is at least p, or if k is the vocabulary. The nucleus ends at the first sum that is "
    "at least p. Compare the sums with u times that one, count those that aren't larger, and gather the token.",
)

LAST = "(sums < p).sum(dim=-1, keepdim=True).clamp(max=k - 1)"
PLACE = "(sums <= u[:, None] * sums.gather(-1, last)).sum(dim=-1, keepdim=True)"
STOP = "bool((sums[:, -1] >= p).all())"


softmax_of_the_largest = mistake.edited("(largest - total).exp().cumsum", "largest.softmax(dim=-1).cumsum",
    "The probabilities of the largest logits sum to 1, as if there were no others: divide by the sum over the whole vocabulary.",
    common=True, pitfall="The softmax goes over all logits", about="the_right_tokens_are_drawn")

one_round = mistake.edited(STOP, "True",
    "Only the first `start` logits were looked at: if their total is below p, the nucleus is larger.",
    common=True, about="the_right_tokens_are_drawn")

stops_at_the_first_row = mistake.edited(STOP, "bool((sums[:, -1] >= p).any())",
    "The search ended when one row had its nucleus: go on until every row has it.",
    common=True, about="the_right_tokens_are_drawn")

nucleus_without_its_last_token = mistake.edited(LAST, "((sums <= p).sum(dim=-1, keepdim=True) - 1).clamp(0, k - 1)",
    "The token with which the total reaches p is missing in the nucleus: it belongs to it.",
    common=True, about="the_right_tokens_are_drawn")

one_token_too_many = mistake.edited(LAST, "((sums < p).sum(dim=-1, keepdim=True) + 1).clamp(max=k - 1)",
    "The nucleus has a token more than it needs: it ends where the total reaches p.",
    about="the_right_tokens_are_drawn")

nucleus_is_all_that_was_looked_at = mistake.edited(LAST, "torch.full_like(tokens[:, :1], k - 1)",
    "The token was drawn from all logits that were looked at: draw from the nucleus.",
    common=True, about="the_right_tokens_are_drawn")

total_not_used = mistake.edited(PLACE, "(sums <= u[:, None]).sum(dim=-1, keepdim=True).clamp(max=k - 1)",
    "The number was compared with probabilities that don't sum to 1 in the nucleus, so the last tokens come too often: multiply it by the nucleus's total.",
    common=True, about="the_right_tokens_are_drawn")

number_times_p = mistake.edited(PLACE, "(sums <= u[:, None] * p).sum(dim=-1, keepdim=True)",
    "The number was multiplied by p: the nucleus's total is usually larger. Multiply by the total.",
    common=True, about="the_right_tokens_are_drawn")

place_instead_of_token = mistake.edited("tokens.gather(-1, place)[:, 0]", "place[:, 0]",
    "You return the place in the order of size: return the token at this place.",
    about="the_right_tokens_are_drawn")

likeliest_always = mistake.edited("tokens.gather(-1, place)", "tokens",
    "The likeliest token was taken, whatever the number is.",
    about="the_right_tokens_are_drawn")

number_of_the_first_row = mistake.edited("u[:, None]", "u[0]",
    "All rows were drawn with the number of the first row: each has its own.",
    about="the_right_tokens_are_drawn")

one_place_too_early = mistake.edited(PLACE, "((sums <= u[:, None] * sums.gather(-1, last)).sum(dim=-1, keepdim=True) - 1).clamp(min=0)",
    "The token before the right one was taken: take the first whose cumulative sum is larger.",
    about="the_right_tokens_are_drawn")

smallest_first = mistake.edited("logits.topk(k)", "logits.topk(k, largest=False)",
    "The smallest logits were looked at: the nucleus has the largest.",
    about="the_right_tokens_are_drawn")

logits_not_normalized = mistake.edited("(largest - total).exp()", "largest.exp()",
    "The exponentials weren't divided by their sum over the vocabulary, so they are no probabilities.",
    about="the_right_tokens_are_drawn")

all_after_the_first_look = mistake.edited("k = min(2 * k, vocab)", "k = vocab",
    "After the first look, topk took more than twice the nucleus, as if it took all logits: take twice as many as before.",
    about="few_logits_are_looked_at", common=True)

grows_too_fast = mistake.edited("k = min(2 * k, vocab)", "k = min(8 * k, vocab)",
    "Many more logits than needed were looked at: look at twice as many each time.",
    about="few_logits_are_looked_at")

sorted_first = mistake.edited("largest, tokens = logits.topk(k)", "largest, tokens = logits.sort(descending=True)\nk = vocab",
    "A sort ran: topk of a few logits is enough, and returns them in order.",
    about="few_logits_are_looked_at", common=True, forbidden="a sort")

topk_of_everything = mistake.edited("k = min(start, vocab)", "k = vocab",
    "topk took too many logits from the first look on, as if it took all: begin with `start`.",
    about="few_logits_are_looked_at", common=True)

nucleus_beyond_the_vocabulary = mistake.edited(LAST, "(sums < p).sum(dim=-1, keepdim=True)",
    "With p = 1 the rounded total of the whole vocabulary may stay below p, and you looked for a token after the last one: the nucleus is the whole vocabulary.",
    about="both_ends_of_p", common=True)

exponentials_overflow = mistake.edited("(largest - total).exp()", "(largest.exp() / logits.exp().sum(dim=-1, keepdim=True))",
    "exp of a large logit is infinite, and of a very low one 0: use logsumexp or softmax, which subtract the largest first.",
    about="large_logits", common=True)

start_too_large = mistake.edited("k = min(start, vocab)", "k = start",
    "topk was asked for more logits than there are: limit start to the vocabulary.",
    about="a_large_start", common=True)

tokens_on_the_cpu = mistake.edited("tokens.gather(-1, place)[:, 0]", "tokens.gather(-1, place)[:, 0].cpu()",
    "The tokens are on the CPU: they belong on the device of the logits.",
    about="the_tokens_are_on_the_device_of_the_logits")


@alternative("draw_top_p")
def row_by_row(logits, p, u, start=8):
    """Each row by itself, so that an easy row looks at few."""
    drawn = []
    for row, number in zip(logits, u, strict=True):
        chances, k = row.softmax(0), min(start, len(row))
        top = chances.topk(k)
        while float(top.values.sum()) < p and k < len(row):
            k = min(k * 2, len(row))
            top = chances.topk(k)
        sums = top.values.cumsum(0)
        size = min(int((sums < p).sum()) + 1, k)
        sums = sums[:size]
        place = min(int(torch.searchsorted(sums, number * sums[-1], right=True)), size - 1)
        drawn.append(top.indices[place])
    return torch.stack(drawn)


@alternative("draw_top_p")
def through_a_mask(logits, p, u, start=8):
    """Probabilities beyond the nucleus become 0, and argmax finds the first sum that is large enough."""
    chances = torch.softmax(logits, -1)
    for k in [start * 2**i for i in range(30)]:
        values, tokens = torch.topk(chances, min(k, chances.shape[-1]), dim=-1)
        before = values.cumsum(-1) - values
        if k >= chances.shape[-1] or (values.sum(-1) >= p).all():
            break
    values = torch.where(before < p, values, 0.0)
    sums = values.cumsum(-1)
    above = (sums > u.unsqueeze(-1) * sums[:, -1:]) | (torch.arange(values.shape[-1], device=u.device) == (values > 0).sum(-1, keepdim=True) - 1)
    return tokens[torch.arange(len(tokens), device=u.device), above.int().argmax(-1)]


@alternative("draw_top_p")
def one_maximum_at_a_time(logits, p, u, start=8):
    """The likeliest token, then the next, until the nucleus is complete."""
    rest, drawn = logits.softmax(-1), []
    for row, number in zip(rest.clone(), u.tolist(), strict=True):
        values, tokens, total = [], [], 0.0
        while total < p and len(tokens) < len(row):
            best = int(row.argmax())
            values.append(float(row[best]))
            tokens.append(best)
            total += values[-1]
            row[best] = -1.0
        sums = [sum(values[: i + 1]) for i in range(len(values))]
        drawn.append(next((t for t, s in zip(tokens, sums, strict=True) if s > number * sums[-1]), tokens[-1]))
    return torch.tensor(drawn, device=logits.device)
