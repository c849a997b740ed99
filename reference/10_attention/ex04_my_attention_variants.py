"""Known mistakes and unusual but correct solutions for my_attention and to_attn_mask."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "wrong_name-L19-1": "query and key have the same width",
    "in_place-L22-1": "works on a tensor that was just made",
    "off_by_one-L22-1": "tril works on the last two axes, and the mask is the same for all others",
    "flip_minus: attn_mask = torch.ones(scores.shape[2:], dtype=torch.bool, device=scores.device).tril()": "there are four axes",
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


true_means_hide = mistake.edited(
    "factor = query.shape[-1] ** -0.5 if scale is None else scale",
    """
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        attn_mask = ~attn_mask
    factor = query.shape[-1] ** -0.5 if scale is None else scale
    """,
    "The bool mask is used the wrong way around: True means that the query may read the key. (In nn.MultiheadAttention "
    "True means hide.)",
    about="a_bool_mask_says_what_is_read", common=True)

adds_the_bool_mask = mistake.edited(
    "factor = query.shape[-1] ** -0.5 if scale is None else scale",
    """
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        attn_mask = attn_mask.to(query.dtype)
    factor = query.shape[-1] ** -0.5 if scale is None else scale
    """,
    "The bool mask was added to the scores, as 0 and 1, and hides nothing: fill the scores with -inf where it is False.",
    about="a_bool_mask_says_what_is_read", common=True,
    pitfall="counts as 0 and 1")

masks_the_weights = mistake.edited(
    "scores = query @ key.transpose(-2, -1) * factor",
    """
    scores = query @ key.transpose(-2, -1) * factor
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        return (scores.softmax(dim=-1) * attn_mask) @ value
    """,
    "The weights of a row don't sum to 1: the bool mask was applied after the softmax. Hide the scores before it.",
    about="a_bool_mask_says_what_is_read")

fills_with_zero = mistake.edited(
    "scores = query @ key.transpose(-2, -1) * factor",
    """
    scores = query @ key.transpose(-2, -1) * factor
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        return scores.masked_fill(~attn_mask, 0.0).softmax(dim=-1) @ value
    """,
    "Hidden scores became 0, and exp(0) is 1, so hidden keys still get a weight: fill with -inf.",
    about="a_bool_mask_says_what_is_read")

float_mask_as_bool = mistake.edited(
    "scores = query @ key.transpose(-2, -1) * factor",
    """
    scores = query @ key.transpose(-2, -1) * factor
    if attn_mask is not None and attn_mask.dtype != torch.bool:
        attn_mask = (attn_mask != 0) | (attn_mask == 0).all(-1, keepdim=True)
    """,
    "A float mask was turned into a bool mask: add it to the scores. A 0 in it hides nothing.",
    about="a_float_mask_is_added", common=True)

multiplies_by_the_mask = mistake.edited("scores = scores + attn_mask", "scores = scores * attn_mask",
    "The scores were multiplied by the float mask: add it.",
    about="a_float_mask_is_added")

counts_from_the_last_key = mistake.edited(".tril()", ".tril(key.shape[-2] - query.shape[-2])",
    "The causal mask was aligned with the last key. Align it with the first: query i reads keys 0 to i.",
    about="causal_counts_from_the_first_key")

adds_before_the_scale = mistake.edited("scores = scores + attn_mask", "scores = scores + attn_mask * factor",
    "The float mask was scaled together with the scores: multiply by the scale first, then add the mask.",
    about="a_float_mask_is_added")

counts_from_the_end = mistake.edited(".tril()", ".tril(max(0, key.shape[-2] - query.shape[-2]))",
    "With more keys than queries, the causal mask was aligned with the last key: PyTorch aligns it with the first, so query i reads keys 0 to i.",
    about="causal_counts_from_the_first_key", common=True)

ignores_is_causal = mistake.edited("if is_causal:", "if False:",
    "With is_causal=True later keys can still be read: hide the keys that come after the query.",
    about="causal_counts_from_the_first_key")

hides_the_diagonal = mistake.edited(".tril()", ".tril(-1)",
    "With is_causal=True query i could not read key i: the diagonal is allowed.",
    about="causal_counts_from_the_first_key")

forgets_the_scale = mistake.edited("query.shape[-1] ** -0.5 if", "1.0 if",
    "Without an argument scale the scores were not scaled: None means 1 / sqrt(width).",
    about="without_a_mask_all_keys_are_read", common=True)

scales_by_the_heads = mistake.edited("query.shape[-1] ** -0.5", "query.shape[1] ** -0.5",
    "The scale was computed from axis 1, the number of heads: width is the last axis of query.",
    about="without_a_mask_all_keys_are_read")

scales_twice = mistake.edited(
    "factor = query.shape[-1] ** -0.5 if scale is None else scale",
    "factor = query.shape[-1] ** -0.5 * (1.0 if scale is None else scale)",
    "scale was applied in addition to 1 / sqrt(width): it replaces that factor.",
    about="scale_replaces_the_default")

takes_zero_for_none = mistake.edited(
    "factor = query.shape[-1] ** -0.5 if scale is None else scale", "factor = scale or query.shape[-1] ** -0.5",
    "scale=0.0 was taken for a missing scale, as in `scale or ...`, where 0.0 counts as False: compare scale with None.",
    about="scale_replaces_the_default")

ignores_dropout = mistake.edited(
    "return functional.dropout(scores.softmax(dim=-1), dropout_p) @ value",
    "return scores.softmax(dim=-1) @ value",
    "dropout_p has no effect: apply dropout to the weights, always, because there is no eval mode.",
    about="dropout_zeroes_weights")

drops_parts_of_the_result = mistake.edited(
    "return functional.dropout(scores.softmax(dim=-1), dropout_p) @ value",
    "return functional.dropout(scores.softmax(dim=-1) @ value, dropout_p)",
    "Dropout was applied to the scores or the result: apply it to the weights, between the softmax and the values.",
    about="dropout_zeroes_weights")

takes_both_masks = mistake.edited("if is_causal and attn_mask is not None:", "if False:",
    "An attn_mask together with is_causal=True raised no error: raise a ValueError.",
    about="two_masks_are_refused", common=True)

keeps_the_mask_itself = mistake.edited("return ~key_padding_mask[:, None, None, :]", "return key_padding_mask[:, None, None, :]",
    "The mask is still True at padding: invert it with ~.",
    about="a_padding_mask_is_turned_round")

keeps_the_meaning = mistake.edited(
    "return ~key_padding_mask[:, None, None, :]", "return key_padding_mask[:, None, None, :].clone()",
    "The mask is still True at padding: invert it with ~.",
    about="a_padding_mask_is_turned_round", common=True,
    pitfall="opposite meanings")

hides_the_queries = mistake.edited(
    "return ~key_padding_mask[:, None, None, :]", "return ~key_padding_mask[:, None, :, None]",
    "The mask hides queries: the keys are the last of the four axes.",
    about="a_padding_mask_is_turned_round")

one_axis_too_few = mistake.edited("return ~key_padding_mask[:, None, None, :]", "return ~key_padding_mask[:, None, :]",
    "The result has three axes: broadcasting lines up the last axes, so its batch axis would meet the heads. Add two axes "
    "of size 1.",
    about="a_padding_mask_is_turned_round", common=True)

divides_by_the_scale = mistake.edited(
    "factor = query.shape[-1] ** -0.5 if",
    "factor = query.shape[-1] ** 0.5 if",
    "The scores were divided by scale: multiply them by it.",
    also=[("query @ key.transpose(-2, -1) * factor", "query @ key.transpose(-2, -1) / factor")],
    about="scale_replaces_the_default",
)

reads_only_later_keys = mistake.edited(
    ".tril()",
    ".triu(1)",
    "With is_causal=True query i reads only the keys after i: it must read the keys 0 to i.",
    about="causal_counts_from_the_first_key",
)

adds_every_mask = mistake.edited(
    "if attn_mask is not None and attn_mask.dtype == torch.bool:",
    "if False:",
    "Bool masks, also the causal one, were added to the scores as 0 and 1, which hides nothing: fill the scores "
    "with -inf where a bool mask is False.",
)

a_square_causal_mask = mistake.edited(
    "torch.ones(scores.shape[-2:],",
    "torch.ones(scores.shape[-2], scores.shape[-2],",
    "The causal mask is square, but there may be more or fewer keys than queries: its shape is (queries, keys).",
    about="causal_counts_from_the_first_key",
)


@mistake("my_attention", forbidden="torch.nn.functional.scaled_dot_product_attention")
def asks_pytorch(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """You called PyTorch's own attention: write the formula yourself."""
    if is_causal and attn_mask is not None:
        raise ValueError("give attn_mask or is_causal, not both")
    attention = torch.nn.functional.scaled_dot_product_attention
    return attention(query, key, value, attn_mask, dropout_p, is_causal, scale=scale)


@alternative("my_attention")
def one_float_mask(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """Every mask becomes a float mask, as in PyTorch's documentation."""
    bias = torch.zeros(query.size(-2), key.size(-2), dtype=query.dtype, device=query.device)
    if is_causal:
        if attn_mask is not None:
            raise RuntimeError("two masks")
        bias.masked_fill_(torch.ones_like(bias, dtype=torch.bool).tril(diagonal=0).logical_not(), float("-inf"))
    if attn_mask is not None:
        bias = torch.zeros_like(attn_mask, dtype=query.dtype).masked_fill(~attn_mask, float("-inf")) if attn_mask.dtype is torch.bool else attn_mask + bias
    weights = torch.softmax(torch.einsum("bhqd,bhkd->bhqk", query, key) * (query.size(-1) ** -0.5 if scale is None else scale) + bias, dim=-1)
    return torch.dropout(weights, dropout_p, train=True) @ value


weights_by_hand = alternative.edited(
    'scores.masked_fill(~attn_mask, float("-inf"))', "torch.where(attn_mask, scores, -torch.inf)",
    "exp and a sum; dropout from random numbers.",
    also=[(
        "return functional.dropout(scores.softmax(dim=-1), dropout_p) @ value",
        """
        weights = (scores - scores.amax(-1, keepdim=True)).exp()
        weights = weights / weights.sum(-1, keepdim=True)
        if dropout_p > 0:
            weights = weights * (torch.rand_like(weights) >= dropout_p) / (1 - dropout_p)
        return weights @ value
        """,
    )])

with_logical_not = alternative.edited(
    "return ~key_padding_mask[:, None, None, :]",
    "return torch.logical_not(key_padding_mask).unsqueeze(1).unsqueeze(1)",
    "The axes after the inversion.")


@alternative("to_attn_mask")
def with_reshape(key_padding_mask):
    """One reshape, one comparison."""
    batch, keys = key_padding_mask.shape
    return key_padding_mask.reshape(batch, 1, 1, keys) == False  # noqa: E712


@mistake("my_attention", forbidden="nn.MultiheadAttention")
def asks_a_module(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """You used nn.MultiheadAttention: write the formula yourself."""
    if is_causal and attn_mask is not None:
        raise ValueError("give attn_mask or is_causal, not both")
    *lead, time, width = query.shape
    layer = torch.nn.MultiheadAttention(width, 1, bias=False, batch_first=True, dtype=query.dtype, device=query.device)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.eye(width).repeat(3, 1))
    if is_causal:
        attn_mask = torch.ones(time, key.shape[-2], dtype=torch.bool, device=query.device).tril()
    if attn_mask is not None:
        attn_mask = attn_mask.logical_not() if attn_mask.dtype == torch.bool else attn_mask
        attn_mask = attn_mask.expand(*lead, time, key.shape[-2]).reshape(-1, time, key.shape[-2])
    queries = query if scale is None else query * (scale * width**0.5)
    keys = key.reshape(-1, *key.shape[-2:])
    weights = layer(queries.reshape(-1, time, width), keys, keys, attn_mask=attn_mask)[1]
    return torch.dropout(weights.reshape(*lead, time, key.shape[-2]), dropout_p, train=True) @ value
