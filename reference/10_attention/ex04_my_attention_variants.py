"""Known mistakes and odd-but-correct solutions for my_attention and to_attn_mask."""

import torch
from ex04_my_attention import my_attention
from torch.nn import functional

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "wrong_name-L19-1": "query and key have the same width",
    "in_place-L22-1": "works on a tensor that was just made",
    "off_by_one-L22-1": "tril works on the last two axes, and the mask is the same for all others",
    "in_place-L24-1": "works on a tensor that was just made, and the backward pass of a product does not need it",
    "in_place_update-L26-1": "works on a tensor that was just made, and the backward pass of a product does not need it",
}

HINTS = (
    "Start without a mask: scores, softmax, values. Then make every kind of mask into one step on the scores.",
    "is_causal is a bool mask that you build yourself: the lower triangle of a (queries, keys) matrix. A bool mask hides the keys where it "
    "is False, a float mask is added after the scale.",
    "Look at attn_mask.dtype: for bool use masked_fill with the inverted mask and -inf, otherwise add. to_attn_mask inverts the mask and gives it "
    "two axes of size 1 in the middle.",
)


def scores_of(query, key, scale):
    """The scaled scores."""
    return query @ key.transpose(-2, -1) * (query.shape[-1] ** -0.5 if scale is None else scale)


def refuse_both(attn_mask, is_causal):
    """Raise for two masks at once."""
    if is_causal and attn_mask is not None:
        raise ValueError("not both")


def as_bool(query, key, is_causal):
    """The causal mask, or None."""
    return torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool, device=query.device).tril() if is_causal else None


def is_bool(mask):
    """Is there a mask, of bool?"""
    return mask is not None and mask.dtype == torch.bool


@mistake("my_attention", about="a_bool_mask_says_what_is_read", common=True)
def true_means_hide(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """The bool mask is used the other way round: True means that the query may read the key. (In nn.MultiheadAttention True means hide.)"""
    mask = ~attn_mask if is_bool(attn_mask) else attn_mask
    return my_attention(query, key, value, mask, dropout_p, is_causal, scale)


@mistake("my_attention", about="a_bool_mask_says_what_is_read", common=True)
def adds_the_bool_mask(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """The bool mask was added to the scores, as 0 and 1, and hides nothing: fill the scores with -inf where it is False."""
    mask = attn_mask.to(query.dtype) if is_bool(attn_mask) else attn_mask
    return my_attention(query, key, value, mask, dropout_p, is_causal, scale)


@mistake("my_attention", about="a_bool_mask_says_what_is_read")
def masks_the_weights(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """The weights of a row don't sum to 1: the bool mask was applied after the softmax. Hide the scores before it."""
    if is_bool(attn_mask):
        return (scores_of(query, key, scale).softmax(-1) * attn_mask) @ value
    return my_attention(query, key, value, attn_mask, dropout_p, is_causal, scale)


@mistake("my_attention", about="a_bool_mask_says_what_is_read")
def fills_with_zero(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """Hidden scores became 0, and exp(0) is 1, so hidden keys still get a weight: fill with -inf."""
    if is_bool(attn_mask):
        return scores_of(query, key, scale).masked_fill(~attn_mask, 0.0).softmax(-1) @ value
    return my_attention(query, key, value, attn_mask, dropout_p, is_causal, scale)


@mistake("my_attention", about="a_float_mask_is_added", common=True)
def float_mask_as_bool(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """A float mask was turned into a bool mask: add it to the scores. A 0 in it hides nothing."""
    mask = attn_mask if attn_mask is None else attn_mask != 0
    if mask is not None and not is_bool(attn_mask):
        mask = mask | ~mask.any(-1, keepdim=True)
    return my_attention(query, key, value, mask, dropout_p, is_causal, scale)


@mistake("my_attention", about="a_float_mask_is_added")
def multiplies_by_the_mask(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """The scores were multiplied by the float mask: add it."""
    if attn_mask is not None and not is_bool(attn_mask):
        return (scores_of(query, key, scale) * attn_mask).softmax(-1) @ value
    return my_attention(query, key, value, attn_mask, dropout_p, is_causal, scale)


@mistake("my_attention", about="a_float_mask_is_added")
def adds_before_the_scale(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """The float mask was scaled together with the scores: multiply by the scale first, then add the mask."""
    if attn_mask is not None and not is_bool(attn_mask):
        factor = query.shape[-1] ** -0.5 if scale is None else scale
        return ((query @ key.transpose(-2, -1) + attn_mask) * factor).softmax(-1) @ value
    return my_attention(query, key, value, attn_mask, dropout_p, is_causal, scale)


@mistake("my_attention", about="causal_counts_from_the_first_key", common=True)
def counts_from_the_end(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """With more keys than queries, the causal mask was aligned with the last key: PyTorch aligns it with the first, query i reads keys 0 to i."""
    refuse_both(attn_mask, is_causal)
    if is_causal and key.shape[-2] > query.shape[-2]:
        square = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool, device=query.device)
        attn_mask = square.tril(key.shape[-2] - query.shape[-2])
    return my_attention(query, key, value, attn_mask, dropout_p, is_causal and attn_mask is None, scale)


@mistake("my_attention", about="causal_counts_from_the_first_key")
def ignores_is_causal(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """is_causal has no effect: with True, hide the keys that come after the query."""
    refuse_both(attn_mask, is_causal)
    return my_attention(query, key, value, attn_mask, dropout_p, False, scale)


@mistake("my_attention", about="causal_counts_from_the_first_key")
def hides_the_diagonal(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """With is_causal=True query i could not read key i: the diagonal is allowed."""
    refuse_both(attn_mask, is_causal)
    mask = as_bool(query, key, is_causal)
    if mask is None:
        return my_attention(query, key, value, attn_mask, dropout_p, False, scale)
    return my_attention(query, key, value, mask.tril(-1), dropout_p, False, scale)


@mistake("my_attention", about="without_a_mask_all_keys_are_read", common=True)
def forgets_the_scale(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """Without an argument scale the scores were not scaled: None means 1 / sqrt(width)."""
    return my_attention(query, key, value, attn_mask, dropout_p, is_causal, 1.0 if scale is None else scale)


@mistake("my_attention", about="without_a_mask_all_keys_are_read")
def scales_by_the_heads(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """The scale was computed from axis 1, the number of heads: width is the last axis of query."""
    return my_attention(query, key, value, attn_mask, dropout_p, is_causal, query.shape[1] ** -0.5 if scale is None else scale)


@mistake("my_attention", about="scale_replaces_the_default")
def scales_twice(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """scale came on top of 1 / sqrt(width): it replaces it."""
    factor = query.shape[-1] ** -0.5
    return my_attention(query, key, value, attn_mask, dropout_p, is_causal, factor if scale is None else factor * scale)


@mistake("my_attention", about="scale_replaces_the_default")
def takes_zero_for_none(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """scale=0.0 was read as no scale given (`scale or ...`): compare with None."""
    return my_attention(query, key, value, attn_mask, dropout_p, is_causal, scale or None)


@mistake("my_attention", about="dropout_zeroes_weights")
def ignores_dropout(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """dropout_p has no effect: apply dropout to the weights."""
    return my_attention(query, key, value, attn_mask, 0.0, is_causal, scale)


@mistake("my_attention", about="dropout_zeroes_weights")
def drops_parts_of_the_result(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """Dropout was applied to the scores or the result: apply it to the weights, between the softmax and the values."""
    return functional.dropout(my_attention(query, key, value, attn_mask, 0.0, is_causal, scale), dropout_p)


@mistake("my_attention", about="two_masks_are_refused", common=True)
def takes_both_masks(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """An attn_mask together with is_causal=True raised no ValueError."""
    return my_attention(query, key, value, None if is_causal else attn_mask, dropout_p, is_causal, scale)


@mistake("to_attn_mask", about="a_padding_mask_is_turned_round", common=True)
def keeps_the_meaning(key_padding_mask):
    """The mask is still True at padding: invert it with ~."""
    return key_padding_mask[:, None, None, :].clone()


@mistake("to_attn_mask", about="a_padding_mask_is_turned_round")
def hides_the_queries(key_padding_mask):
    """The mask hides queries: the keys are the last of the four axes."""
    return ~key_padding_mask[:, None, :, None]


@mistake("to_attn_mask", about="a_padding_mask_is_turned_round", common=True)
def one_axis_too_few(key_padding_mask):
    """The result has three axes: broadcasting lines up the last axes, so its batch axis would meet the heads. Add two axes of size 1."""
    return ~key_padding_mask[:, None, :]


@alternative("my_attention")
def one_float_mask(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """Every mask becomes a float mask, as in PyTorch's documentation."""
    bias = torch.zeros(query.size(-2), key.size(-2), dtype=query.dtype, device=query.device)
    if is_causal:
        if attn_mask is not None:
            raise ValueError
        bias.masked_fill_(torch.ones_like(bias, dtype=torch.bool).tril(diagonal=0).logical_not(), float("-inf"))
    if attn_mask is not None:
        bias = torch.zeros_like(attn_mask, dtype=query.dtype).masked_fill(~attn_mask, float("-inf")) if attn_mask.dtype is torch.bool else attn_mask + bias
    weights = torch.softmax(torch.einsum("bhqd,bhkd->bhqk", query, key) * (query.size(-1) ** -0.5 if scale is None else scale) + bias, dim=-1)
    return torch.dropout(weights, dropout_p, train=True) @ value


@alternative("my_attention")
def weights_by_hand(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """exp and a sum; dropout from random numbers."""
    refuse_both(attn_mask, is_causal)
    mask = as_bool(query, key, is_causal) if is_causal else attn_mask
    scores = scores_of(query, key, scale)
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf) if mask.dtype == torch.bool else scores + mask
    weights = (scores - scores.amax(-1, keepdim=True)).exp()
    weights = weights / weights.sum(-1, keepdim=True)
    if dropout_p > 0:
        weights = weights * (torch.rand_like(weights) >= dropout_p) / (1 - dropout_p)
    return weights @ value


@alternative("to_attn_mask")
def with_logical_not(key_padding_mask):
    """The axes after the inversion."""
    return torch.logical_not(key_padding_mask).unsqueeze(1).unsqueeze(1)


@alternative("to_attn_mask")
def with_reshape(key_padding_mask):
    """One reshape, one comparison."""
    batch, keys = key_padding_mask.shape
    return key_padding_mask.reshape(batch, 1, 1, keys) == False  # noqa: E712
