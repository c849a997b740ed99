"""Small GPTs in public code."""

from torchdojo.grading import Convention, Public

PUBLIC = Public(
    called=("gpt", "language model", "char model", "transformer", "bigram language model"),
    takes={
        **dict.fromkeys(("vocab_size", "n_vocab", "num_tokens", "vocabulary_size"), "vocab"),
        **dict.fromkeys(("block_size", "context_length", "max_seq_len", "max_len", "n_ctx", "seq_len", "max_length", "context_size", "ctx_len"), "context"),
        **dict.fromkeys(("n_embd", "d_model", "embed_dim", "emb_dim", "dim", "hidden_size", "n_embed"), "width"),
        **dict.fromkeys(("n_head", "n_heads", "num_heads", "nhead"), "heads"),
        **dict.fromkeys(("n_layer", "n_layers", "num_layers", "n_blocks"), "depth"),
        **dict.fromkeys(("idx", "x", "input_ids", "ids", "token_ids", "in_idx", "inputs"), "tokens"),
        **dict.fromkeys(("max_new_tokens", "max_tokens", "num_tokens", "n"), "count"),
        **dict.fromkeys(("d_ff", "ff_dim", "ffn_dim", "hidden_dim", "mlp_dim"), "4 * width"),
    },
    keeps=("context",),
    not_asked={"begins_with_a_guess": "it promises nothing for an untrained model"},
    lacks={"a_cache_changes_no_logits": "it has no cache of this form"},
    conventions={
        "loss-too": Convention("It returns a tuple, the logits first.", adapter="CharModel = first_of(CharModel)"),
    },
)
