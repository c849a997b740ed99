"""Known mistakes and odd-but-correct solutions for attention_mask and masked_softmax."""

import torch
from ex03_attention_masks import attention_mask, masked_softmax

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


def square(real):
    """A square of True for each pair of positions."""
    return torch.ones(real.shape[1], real.shape[1], dtype=torch.bool, device=real.device)


@mistake("attention_mask", about="no_token_reads_a_later_one", common=True)
def looks_ahead(real, causal):
    """The causal mask is True above the diagonal, so each token reads only later ones and itself: use tril."""
    allowed = square(real).triu() if causal else square(real)
    return allowed & real[:, None]


@mistake("attention_mask", about="no_token_reads_a_later_one")
def hides_the_token_itself(real, causal):
    """A token may not read itself: the diagonal must stay True, and the first row then has a key."""
    allowed = square(real).tril(-1) if causal else square(real)
    return allowed & real[:, None]


@mistake("attention_mask", about="no_token_reads_a_later_one")
def ignores_causal(real, causal):
    """causal has no effect: with causal=True, hide the keys that come after the query."""
    return square(real) & real[:, None]


@mistake("attention_mask")
def always_causal(real, causal):
    """Later keys are hidden with causal=False, too."""
    return attention_mask(real, True)


@mistake("attention_mask", about="padding_is_not_read", common=True)
def hides_the_queries(real, causal):
    """Padding makes rows of the mask False: it must hide keys, which are the columns. Put the new axis before the last one."""
    allowed = square(real).tril() if causal else square(real)
    return allowed & real[:, :, None]


@mistake("attention_mask", about="padding_is_not_read")
def hides_queries_and_keys(real, causal):
    """Rows and columns of padding are False: only keys are hidden, so only columns."""
    return attention_mask(real, causal) & real[:, :, None]


@mistake("attention_mask", about="both_masks_hold")
def joins_with_or(real, causal):
    """A key is allowed if one of the two masks allows it: both must, so join them with &."""
    return square(real).tril() | real[:, None] if causal else attention_mask(real, causal)


@mistake("attention_mask", about="both_masks_hold")
def forgets_padding_when_causal(real, causal):
    """With causal=True padding is read: the mask needs both conditions."""
    return square(real).tril().repeat(len(real), 1, 1) if causal else attention_mask(real, causal)


@mistake("attention_mask", about="padding_is_not_read", common=True)
def inverts_the_mask(real, causal):
    """The mask is True where reading is forbidden: here True means that the query may read the key."""
    return ~attention_mask(real, causal)


@mistake("attention_mask", about="padding_is_not_read")
def mask_of_floats(real, causal):
    """The mask holds 0 and -inf: return bool, True where reading is allowed."""
    allowed = attention_mask(real, causal)
    return torch.zeros(allowed.shape, device=real.device).masked_fill(~allowed, float("-inf"))


@mistake("masked_softmax", about="weights_are_spread_over_allowed_keys", common=True)
def masks_after_the_softmax(scores, mask):
    """The weights of a row don't sum to 1: they were set to 0 after the softmax. Hide the scores before it."""
    return scores.softmax(dim=-1) * mask


@mistake("masked_softmax", about="weights_are_spread_over_allowed_keys")
def multiplies_the_scores(scores, mask):
    """Masked scores became 0, and exp(0) is 1, so masked keys still get a weight: use a very small number, or -inf."""
    return (scores * mask).softmax(dim=-1)


@mistake("masked_softmax", about="weights_are_spread_over_allowed_keys")
def hides_the_allowed_keys(scores, mask):
    """The mask is used the other way round: hide the keys where it is False."""
    return masked_softmax(scores, ~mask)


@mistake("masked_softmax", about="weights_are_spread_over_allowed_keys")
def softmax_over_the_queries(scores, mask):
    """Softmax ran over the queries: use the last axis, the keys."""
    return scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim=-2).masked_fill(~mask, 0.0)


@mistake("masked_softmax", about="a_row_without_keys_is_zero", common=True)
def nan_without_keys(scores, mask):
    """A row whose mask is all False became nan, because all its scores are -inf: such a row must be all zeros."""
    return scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)


@mistake("masked_softmax", about="a_row_without_keys_is_zero", common=True)
def uniform_without_keys(scores, mask):
    """A row whose mask is all False got equal weights for all keys: set the weights of masked keys to 0 after the softmax."""
    return scores.masked_fill(~mask, -1e9).softmax(dim=-1)


@mistake("masked_softmax", about="no_nan_in_the_gradient", common=True)
def replaces_nan_afterwards(scores, mask):
    """The weights are right, but the gradient has nan: nan_to_num or torch.where after the softmax mends only the forward pass.
    Give softmax no row of -inf."""
    hidden = torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
    return (scores + hidden).softmax(dim=-1).nan_to_num(0.0)


@mistake("masked_softmax")
def changes_the_scores(scores, mask):
    """The scores of the caller were changed: masked_fill_ works in place, masked_fill makes a new tensor."""
    with torch.no_grad():
        scores.masked_fill_(~mask, torch.finfo(scores.dtype).min)
    return masked_softmax(scores, mask)


@mistake("masked_softmax", about="the_mask_broadcasts")
def indexes_with_the_mask(scores, mask):
    """The mask must have the shape of scores: indexing with it does not broadcast. Use masked_fill or torch.where."""
    hidden = scores.clone()
    hidden[~mask] = torch.finfo(scores.dtype).min
    return masked_softmax(hidden, mask)


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
