"""Known mistakes and unusual but correct solutions for attention_mask and masked_softmax."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "in_place-L11-1": "changes a tensor that was made two lines before",
    "add_detach-L12-1": "bool tensors have no history",
}

HINTS = (
    "Write the masks of one sequence of three tokens on paper: a row for each query, a column for each key. Which columns does "
    "padding hide, and which corner hides the later tokens?",
    "Both masks are True where reading is allowed, so & joins them; broadcasting gives the padding one row for all queries. In the "
    "softmax hide keys before it, with a finite number that is very small, and set their weights to 0 after it.",
    "attention_mask: a square of True, its tril if causal, & real with an axis of size 1 for the queries. masked_softmax: masked_fill "
    "with torch.finfo(...).min, softmax over the last axis, then masked_fill with 0.",
)


looks_ahead = mistake.edited("allowed.tril()", "allowed.triu()",
    "The causal mask is True above the diagonal, so each token reads only later ones and itself: make it True where j <= i, for example with tril.",
    about="no_token_reads_a_later_one", common=True)

hides_the_token_itself = mistake.edited("allowed.tril()", "allowed.tril(-1)",
    "In your mask a token cannot read itself, but it should: keep the diagonal, unless that key is padding.",
    about="no_token_reads_a_later_one")

ignores_causal = mistake.edited("if causal:", "if False:",
    "With causal=True later keys can still be read: hide the keys that come after the query.",
    about="no_token_reads_a_later_one")

always_causal = mistake.edited("if causal:", "if True:",
    "Later keys are hidden with causal=False: hide them only with causal=True.")

hides_the_queries = mistake.edited("real.unsqueeze(1)", "real.unsqueeze(2)",
    "Padding makes rows of the mask False: it must hide keys, which are the columns. Put the new axis before the last one.",
    about="padding_is_not_read", common=True,
    pitfall="Padding hides a key")

hides_queries_and_keys = mistake.edited(
    "return allowed & real.unsqueeze(1)", "return allowed & real.unsqueeze(1) & real.unsqueeze(2)",
    "Rows and columns of padding are False: only keys are hidden, so only columns.",
    about="padding_is_not_read")

joins_with_or = mistake.edited(
    "return allowed & real.unsqueeze(1)",
    "return allowed | real.unsqueeze(1) if causal else allowed & real.unsqueeze(1)",
    "Your code allows a key if either mask allows it. Both must allow it: a real key, and with causal=True not a later one.",
    about="both_masks_hold")

forgets_padding_when_causal = mistake.edited(
    "return allowed & real.unsqueeze(1)",
    "return allowed.repeat(len(real), 1, 1) if causal else allowed & real.unsqueeze(1)",
    "With causal=True padding is read: the mask needs both conditions.",
    about="both_masks_hold")

inverts_the_mask = mistake.edited("return allowed & real.unsqueeze(1)", "return ~(allowed & real.unsqueeze(1))",
    "The mask is True where reading is forbidden: here True means that the query may read the key.",
    about="padding_is_not_read", common=True)

mask_of_floats = mistake.edited(
    "return allowed & real.unsqueeze(1)",
    """
    allowed = allowed & real.unsqueeze(1)
    return torch.zeros(allowed.shape, device=real.device).masked_fill(~allowed, float("-inf"))
    """,
    "The mask holds 0 and -inf: return bool, True where reading is allowed.",
    about="padding_is_not_read")

masks_after_the_softmax = mistake.edited(
    "weights = scores.masked_fill(~mask, lowest).softmax(dim=-1)", "weights = scores.softmax(dim=-1)",
    "The weights of a row don't sum to 1: they were set to 0 after the softmax. Hide the scores before it.",
    about="weights_are_spread_over_allowed_keys", common=True)

multiplies_the_scores = mistake.edited(
    "weights = scores.masked_fill(~mask, lowest).softmax(dim=-1)", "weights = (scores * mask).softmax(dim=-1)",
    "Masked keys still get a weight, because their scores became 0 and exp(0) is 1: use a very large negative number, or -inf.",
    also=[("return weights.masked_fill(~mask, 0.0)", "return weights")], about="weights_are_spread_over_allowed_keys")

multiplies_before_and_after = mistake.edited("scores.masked_fill(~mask, lowest)", "(scores * mask)",
    "Masked scores became 0, and exp(0) is 1, so they take a share of each row's sum: use a very large negative number, or -inf.",
    about="weights_are_spread_over_allowed_keys")

hides_the_allowed_keys = mistake.edited("lowest = torch", "mask = ~mask\nlowest = torch",
    "The mask is used the wrong way around: hide the keys where it is False.",
    about="weights_are_spread_over_allowed_keys")

softmax_over_the_queries = mistake.edited("softmax(dim=-1)", "softmax(dim=-2)",
    "Softmax ran over the queries: use the last axis, the keys.",
    about="weights_are_spread_over_allowed_keys")

nan_without_keys = mistake.edited("(~mask, lowest)", '(~mask, float("-inf"))',
    "A row whose mask is all False became nan, since nothing in it can sum to 1: such a row must be all zeros.",
    also=[("return weights.masked_fill(~mask, 0.0)", "return weights")], about="a_row_without_keys_is_zero", common=True,
    pitfall="The softmax of a row of -inf is nan")

uniform_without_keys = mistake.edited("(~mask, lowest)", "(~mask, -1e9)",
    "A row whose mask is all False got equal weights for all keys: set the weights of masked keys to 0 after the softmax.",
    also=[("return weights.masked_fill(~mask, 0.0)", "return weights")], about="a_row_without_keys_is_zero", common=True)

hides_by_ten_thousand = mistake.edited("(~mask, lowest)", "(~mask, -1e4)",
    "Where all scores are very low, the allowed keys get the weight 0: -1e4 isn't below every score. Use -inf or torch.finfo(scores.dtype).min.",
    about="scores_may_be_very_low", common=True)

replaces_nan_afterwards = mistake.edited(
    "weights = scores.masked_fill(~mask, lowest).softmax(dim=-1)",
    """
    hidden = torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
    weights = (scores + hidden).softmax(dim=-1)
    """,
    "The weights are right, but the gradient has nan: replacing nan after the softmax repairs only the forward pass. Give softmax no row of -inf.",
    also=[("return weights.masked_fill(~mask, 0.0)", "return weights.nan_to_num(0.0)")],
    about="no_nan_in_the_gradient", common=True)

changes_the_scores = mistake.edited(
    "weights = scores.masked_fill(~mask, lowest).softmax(dim=-1)",
    "weights = scores.masked_fill_(~mask, lowest).softmax(dim=-1)",
    "You write into the scores of the caller: make a new tensor, for instance with masked_fill, which has no underscore.")

indexes_with_the_mask = mistake.edited(
    "weights = scores.masked_fill(~mask, lowest).softmax(dim=-1)",
    "hidden = scores.clone()\nhidden[~mask] = lowest\nweights = hidden.softmax(dim=-1)",
    "Your code needs a mask with the shape of scores, but a smaller mask must broadcast: use masked_fill or torch.where.",
    about="the_mask_broadcasts")

allows_later_keys_alone = mistake.edited(
    "allowed.tril()",
    "allowed.triu(1)",
    "The causal mask is True at later keys, which must not be read: invert it, or use tril.",
    about="no_token_reads_a_later_one",
)

allows_what_either_mask_allows = mistake.edited(
    "return allowed & real.unsqueeze(1)",
    "return allowed | real.unsqueeze(1)",
    "Your code allows a key if either mask allows it. Both must allow it: a real key, and with causal=True not a later one.",
    about="both_masks_hold",
)

causal_without_a_batch = mistake.edited(
    """
    if causal:
        allowed = allowed.tril()
    """,
    """
    if causal:
        return allowed.tril()
    """,
    "With causal=True the mask has no batch axis and ignores padding: combine it with real.",
    about="both_masks_hold",
)

one_row_for_all_queries = mistake.edited(
    "return allowed & real.unsqueeze(1)",
    "return allowed & real.unsqueeze(1) if causal else real.unsqueeze(1)",
    "With causal=False the mask has the shape (batch, 1, time): expand it, so that each query has a row.",
    about="padding_is_not_read",
)


@alternative("attention_mask")
def by_comparing_positions(real, causal):
    """Positions are compared with each other."""
    steps = torch.arange(real.size(1), device=real.device)
    earlier = steps[None, :] <= steps[:, None] if causal else torch.full((len(steps), len(steps)), True, device=real.device)
    return torch.logical_and(real[:, None, :], earlier[None])


@alternative("attention_mask")
def sequence_by_sequence(real, causal):
    """One square for each sequence, with forbidden columns overwritten."""
    found = torch.ones(*real.shape, real.shape[1], dtype=torch.bool, device=real.device)
    for square_of_one, row in zip(found, real, strict=True):
        square_of_one[:, ~row] = False
    return ~((~found) | torch.triu(torch.ones_like(found), 1)) if causal else found


@alternative("masked_softmax")
def by_hand(scores, mask):
    """exp and a sum that is never 0."""
    hidden = scores.where(mask, torch.finfo(scores.dtype).min)
    exps = (hidden - hidden.amax(-1, keepdim=True).detach()).exp() * mask
    total = exps.sum(-1, keepdim=True)
    return exps / total.where(total > 0, 1.0)


@alternative("masked_softmax")
def nan_is_replaced(scores, mask):
    """masked_fill gives masked scores a gradient of 0, so nan_to_num is enough here."""
    return scores.masked_fill(~mask, float("-inf")).softmax(dim=-1).nan_to_num(nan=0.0)


@alternative("masked_softmax")
def rows_without_keys_apart(scores, mask):
    """-inf in all rows but those without a key, which are set to 0 at the end."""
    some = mask.any(dim=-1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(~mask & some, float("-inf")), -1)
    return torch.where(some, weights, torch.zeros_like(weights))
