"""Masks, and the softmax over what they leave, in public code."""

from torchdojo.grading import Public

PUBLIC = Public(
    called=("masked softmax", "attention mask", "padding mask"),
    takes={
        **dict.fromkeys(("x", "logits", "attn_scores", "input"), "scores"),
        **dict.fromkeys(("attn_mask", "m", "valid"), "mask"),
        **dict.fromkeys(("padding_mask", "pad_mask", "attention_mask", "valid"), "real"),
        **dict.fromkeys(("is_causal",), "causal"),
        "dim": "-1",
    },
    not_asked={
        "a_row_without_keys_is_zero": "it promises nothing for a row without keys",
        "no_nan_in_the_gradient": "it promises nothing for a row without keys",
    },
)
