"""Temperature, top-k and top-p in public code."""

from torchdojo.grading import Convention, Public

PUBLIC = Public(
    called=("sampler", "top p", "top k", "nucleus sampling", "temperature", "top k top p filtering"),
    takes={
        **dict.fromkeys(("x", "scores", "next_token_logits", "lm_logits"), "logits"),
        **dict.fromkeys(("temp", "t", "tau"), "temperature"),
        **dict.fromkeys(("k", "topk"), "top_k"),
        **dict.fromkeys(("p", "topp", "nucleus_p"), "top_p"),
        **dict.fromkeys(("probs", "p_next"), "probabilities"),
        **dict.fromkeys(("rng", "gen"), "generator"),
        "filter_value": "float('-inf')",
    },
    not_asked={
        "greedy_is_certain": "it has no temperature 0",
        "impossible_tokens_stay_impossible": "it promises nothing for logits of -inf",
    },
    lacks={"large_top_k_keeps_all": "it takes no top_k larger than the vocabulary"},
    conventions={
        "logits": Convention("It returns logits, not probabilities.", adapter="token_probabilities = softmax_of(token_probabilities)"),
    },
)
