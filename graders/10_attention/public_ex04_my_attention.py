"""Scaled dot-product attention as a function, in public code."""

import torch

from torchdojo.grading import Convention, Public


def inverted(oracle):
    """The oracle with a bool mask that is True where a key is hidden."""

    class same(oracle):
        def my_attention(query, key, value, attn_mask=None, *settings, **named):
            if attn_mask is not None and attn_mask.dtype.is_floating_point is False:
                attn_mask = attn_mask.logical_not()
            return oracle.my_attention(query, key, value, attn_mask, *settings, **named)

    return same


def bools(oracle):
    """The oracle that reads a float mask as a bool mask."""

    class same(oracle):
        def my_attention(query, key, value, attn_mask=None, *settings, **named):
            return oracle.my_attention(query, key, value, None if attn_mask is None else attn_mask.bool(), *settings, **named)

    return same


def from_the_last_key(oracle):
    """The oracle whose causal mask ends at the last key."""

    class same(oracle):
        def my_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
            if not is_causal:
                return oracle.my_attention(query, key, value, attn_mask, dropout_p, scale=scale)
            scores = query @ key.mT * (query.shape[-1] ** -0.5 if scale is None else scale)
            readable = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril(scores.shape[-1] - scores.shape[-2])
            return scores.masked_fill(~readable, -torch.inf).softmax(-1) @ value

    return same


PUBLIC = Public(
    called=("scaled dot product attention", "sdpa", "attention function", "dot product attention"),
    takes={
        **dict.fromkeys(("q", "Q", "queries"), "query"),
        **dict.fromkeys(("k", "K", "keys"), "key"),
        **dict.fromkeys(("v", "V", "values"), "value"),
        **dict.fromkeys(("mask", "attention_mask", "allowed"), "attn_mask"),
        **dict.fromkeys(("causal", "use_causal_mask"), "is_causal"),
        "training": "dropout_p > 0",
    },
    not_asked={"two_masks_are_refused": "it doesn't refuse both masks with a ValueError"},
    lacks={
        "a_float_mask_is_added": "its masks are bool",
        "gradients_reach_all_three": "its masks are bool",
        "dropout_zeroes_weights": "it has no dropout of its own",
    },
    conventions={
        "weights-too": Convention("It returns a tuple, the result first.", adapter="my_attention = first_of(my_attention)"),
        "mask-hides": Convention("A bool mask is True where a key is hidden.", inverted, ("gradients_reach_all_three",)),
        "bool-masks": Convention("It reads a float mask as a bool mask: 0.0 hides a key, and any other number doesn't.", bools),
        "last-key": Convention("Its causal mask ends at the last key, where queries and keys differ in number.", from_the_last_key),
    },
)
