"""The loss of the next token in public code."""

from torchdojo.grading import Public

PUBLIC = Public(
    called=("next token loss", "language model loss", "lm loss", "causal lm loss"),
    takes={
        **dict.fromkeys(("lm_logits", "outputs", "preds", "predictions"), "logits"),
        **dict.fromkeys(("labels", "input_ids", "ids", "idx", "targets", "x"), "tokens"),
        **dict.fromkeys(("pad_id", "pad_token_id", "pad_idx", "padding_idx", "ignore_idx"), "ignore_index"),
        **dict.fromkeys(("vocab_size", "n_vocab"), "vocab"),
        **dict.fromkeys(("d_model", "n_embd", "dim"), "width"),
    },
)
