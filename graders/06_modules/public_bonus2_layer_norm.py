"""Layer normalization in public code."""

from torchdojo.grading import Convention, Public

SIZES = ("features", "dim", "d_model", "ndim", "n_embd", "emb_dim", "embed_dim", "hidden_size", "size", "num_features", "d", "embedding_dim", "normalized_dim")

PUBLIC = Public(
    called=("layer norm", "layernorm", "layer normalization"),
    takes={
        **dict.fromkeys(SIZES, "normalized_shape"),
        **dict.fromkeys(("epsilon", "layer_norm_eps", "variance_epsilon"), "eps"),
        **dict.fromkeys(("elementwise_affine",), "affine"),
        **dict.fromkeys(("inputs", "input", "hidden_states", "z"), "x"),
    },
    layers={
        "weight": (("gamma|scale|alpha|a_2|w|g|gain",),),
        "bias": (("beta|shift|b_2|b|offset",),),
    },
    not_asked={"other_last_axes_are_refused": "it doesn't refuse other axes with a ValueError"},
    conventions={
        "last-axis": Convention("It normalizes the last axis only.", narrows={"shape": [4, 1]}),
        "no-state": Convention("Its parameters are not those of nn.LayerNorm.", leaves_out=("state_is_that_of_layer_norm",)),
    },
)
