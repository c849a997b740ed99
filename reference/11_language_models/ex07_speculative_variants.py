"""Known mistakes and unusual but correct solutions for accept_probability, residual and speculative_step."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "in_place: return torch.where(q > 0, p / q, 1.0).clamp_(max=1)": "the quotients are nobody else's",
    "change_number: return torch.where(q > 0, p / q, 2.0).clamp(max=1)": "what is larger than 1 becomes 1",
    "in_place: missing = (p - q).clamp_(min=0)": "the differences are nobody else's",
    "change_dim: chances = accept_probability(p[:k], q).gather(-1, draft[:, None])[:, 0]": "there are two axes",
    "swap_builtin: accepted = (u[:k] < chances).cumprod(dim=0).sum()": "a tensor with one integer is an index and a bound, too",
}

HINTS = (
    "Write the step for a draft of one token first. Which two numbers decide whether the token is kept, and which distribution is used if it isn't?",
    "Whatever p has more of than q must come from the rejections: that is the residual. A token counts as accepted only if all tokens before it are, so a "
    "cumulative product of the decisions counts them.",
    "gather picks the acceptance probability of each drafted token. Compare with u, count the accepted tokens up to the first rejection, choose the row from "
    "which the last token is drawn, and count the cumulative sums that aren't larger than u[k].",
)


draws_from_p = mistake.edited(
    "residual(p[accepted], q[accepted]) if accepted < k else p[k]", "p[accepted]",
    "After a rejection the token comes from p itself: draw it from the residual, or the results don't have the target's distribution.",
    common=True, pitfall="a token drawn from p itself")

draws_from_q = mistake.edited(
    "residual(p[accepted], q[accepted]) if accepted < k", "q[accepted] if accepted < k",
    "After a rejection the token comes from the draft model's distribution: draw it from the residual.")

turns_the_ratio_over = mistake.edited("p / q, 1.0)", "q / p.clamp(min=1e-30), 1.0)",
    "The ratio is upside down: divide the target's probability by the draft model's.",
    common=True)

more_than_certain = mistake.edited(".clamp(max=1)", "",
    "A probability of acceptance is larger than 1: where p is larger than q, it is 1.")

absolute_difference = mistake.edited("(p - q).clamp(min=0)", "(p - q).abs()",
    "The residual also has the tokens that the draft model likes too much: where p is smaller than q, it is 0.",
    common=True)

takes_q_minus_p = mistake.edited("(p - q).clamp(min=0)", "(q - p).clamp(min=0)",
    "The residual has the tokens of which q has too much: it belongs where p is larger than q.")

not_normalized = mistake.edited("torch.where(total > 0, missing / total, p)", "torch.where(total > 0, missing, p)",
    "The residual doesn't sum to 1: divide it by its sum over the vocabulary.",
    common=True)

one_total_for_all_rows = mistake.edited("missing.sum(dim=-1, keepdim=True)", "missing.sum()",
    "The residual was divided by the sum over all rows: each row has its own sum.")

softmax_of_the_difference = mistake.edited("torch.where(total > 0, missing / total, p)", "torch.where(total > 0, missing.softmax(dim=-1), p)",
    "Softmax gave every token a part of the residual: divide by the sum instead, so that 0 stays 0.")

skips_the_rejected = mistake.edited(
    "return torch.cat([draft[:accepted], last[None]])",
    "return torch.cat([draft[u[:k] < chances], last[None]])",
    "Tokens after a rejected one were kept: they were drafted for a text that no longer exists, so the first rejection ends the step.",
    common=True)

no_token_more = mistake.edited(
    "return torch.cat([draft[:accepted], last[None]])",
    "return torch.cat([draft[:accepted], last[None]]) if accepted < k or k == 0 else draft",
    "An accepted draft got no further token: the target's last distribution is there already, so draw one from p[k].",
    common=True)

keeps_the_rejected_token = mistake.edited(
    "return torch.cat([draft[:accepted], last[None]])",
    "return torch.cat([draft[: accepted + 1], last[None]])",
    "The rejected token is in the result: the drawn token takes its place.")

reuses_the_number = mistake.edited("<= u[k]", "<= u[accepted]",
    "After a rejection, the token is that of a large number, as if u[i], which rejected, were used again: draw with u[k].",
    common=True)

accepts_the_rejected = mistake.edited("u[:k] < chances", "u[:k] > chances",
    "Tokens are accepted when u is larger than their probability: accept when it is smaller.")

accepts_at_the_boundary = mistake.edited("u[:k] < chances", "u[:k] <= chances",
    "A token with probability 0 is accepted when u is 0: accept only if u is smaller.")

compares_without_chance = mistake.edited("u[:k] < chances", "chances >= 1",
    "Only tokens with p of at least q are accepted, whatever u is: the others are accepted with the probability p / q.")

takes_the_likeliest = mistake.edited("(rest.cumsum(dim=0) <= u[k]).sum()", "rest.argmax()",
    "The last token is always the likeliest one: draw it with u[k].",
    common=True)

ratio_of_the_next_position = mistake.edited("accept_probability(p[:k], q)", "accept_probability(p[1:], q)",
    "Drafted token i was judged by p[i + 1]: p[i] is the distribution for it.",
    common=True)

last_row_after_a_rejection = mistake.edited("residual(p[accepted], q[accepted])", "residual(p[k - 1], q[k - 1])",
    "The residual is that of the last drafted token: take the row of the first rejected one.")

extra_token_from_the_row_before = mistake.edited("else p[k]", "else p[max(k - 1, 0)]",
    "After an accepted draft, the further token came from the distribution of the last drafted token: p[k] is the one after it.")

nan_where_q_is_zero = mistake.edited("torch.where(q > 0, p / q, 1.0)", "(p / q)",
    "Where p and q are 0, 0 / 0 gave nan: the result is 1 there.",
    about="what_is_never_proposed_is_accepted")

nan_for_equal_rows = mistake.edited("torch.where(total > 0, missing / total, p)", "missing / total",
    "Where a row of p equals that of q, the residual was divided by 0 and is nan: return p in those rows.",
    about="equal_rows_leave_p")

zeros_for_equal_rows = mistake.edited("torch.where(total > 0, missing / total, p)", "missing / total.clamp(min=1e-12)",
    "If p equals q, the residual is all zeros, and nothing can be drawn from it: return p.",
    about="equal_rows_leave_p")

needs_a_draft = mistake.edited("k = len(draft)", "k = len(draft)\nassert k > 0",
    "Without a draft there is an error: draw one token from p[0].",
    about="no_draft_is_one_token")

beyond_the_vocabulary = mistake.edited(
    "torch.minimum((rest.cumsum(dim=0) <= u[k]).sum(), rest.nonzero().max())", "(rest.cumsum(dim=0) <= u[k]).sum()",
    "The cumulative sum ended below 1 by rounding, and the drawn token lies beyond the vocabulary: limit it to the last "
    "token with a probability above 0.",
    about="rounding_draws_no_impossible_token", common=True)

an_impossible_token = mistake.edited("rest.nonzero().max()", "torch.tensor(len(rest) - 1, device=rest.device)",
    "The cumulative sum ended below 1 by rounding, and the last token of the vocabulary was taken, which has probability 0.",
    about="rounding_draws_no_impossible_token")

tokens_on_the_cpu = mistake.edited(
    "return torch.cat([draft[:accepted], last[None]])",
    "return torch.tensor([*draft[:accepted].tolist(), int(last)])",
    "The tokens are on the CPU although p isn't: make them on the device of p.",
    about="tokens_are_on_the_device_of_p")


@alternative("speculative_step")
def token_by_token(p, q, draft, u):
    """A loop that ends at the first rejection, without the two functions."""
    tokens = []
    for i, token in enumerate(draft.tolist()):
        if u[i] * q[i, token] >= p[i, token]:
            rest = (p[i] - q[i]).clamp(min=0)
            break
        tokens.append(token)
    else:
        rest = p[len(draft)]
    sums = rest.cumsum(0)
    last = int(torch.searchsorted(sums, u[-1:].to(sums.dtype) * sums[-1], right=True))
    tokens.append(min(last, int(rest.nonzero()[-1])))
    return torch.tensor(tokens, dtype=torch.int64, device=p.device)


@alternative("accept_probability")
def through_minimum(p, q):
    """The smaller of the two, divided by q."""
    return torch.where(q == 0, torch.ones_like(q), torch.minimum(p, q) / q)


@alternative("accept_probability")
def through_logarithms(p, q):
    """A difference of logarithms, as many programs have it."""
    return (p.log() - q.log()).nan_to_num(nan=0.0, posinf=0.0, neginf=-torch.inf).clamp(max=0).exp()


@alternative("residual")
def through_relu(p, q):
    """relu, and a mask for equal rows."""
    missing = torch.relu(p - q)
    equal = (missing == 0).all(-1, keepdim=True)
    missing = missing + equal * p
    return missing / missing.sum(-1, keepdim=True)


first_rejection = alternative.edited(
    "accepted = int((u[:k] < chances).cumprod(dim=0).sum())",
    "accepted = next((i for i in range(k) if u[i] >= chances[i]), k)",
    "The first rejection, found by Python.")
