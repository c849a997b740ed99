"""Multi-head self-attention in public code."""

import torch

from torchdojo.grading import Convention, Public


def causal(oracle):
    """The oracle that hides later positions, whatever the mask."""

    class same:
        class SelfAttention(oracle.SelfAttention):
            def forward(self, x, mask=None):
                return super().forward(x, torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).tril())

    return same


def without_bias(oracle):
    """The oracle without the bias of q, k and v."""

    class same:
        class SelfAttention(oracle.SelfAttention):
            def forward(self, x, mask=None):
                qkv = self.qkv
                self.qkv = torch.nn.Linear(qkv.in_features, qkv.out_features).to(qkv.weight)
                self.qkv.weight, self.qkv.bias = qkv.weight, torch.nn.Parameter(torch.zeros_like(qkv.bias))
                result = super().forward(x, mask)
                self.qkv = qkv
                return result

    return same


def inverted(oracle):
    """The oracle with a mask that is True where a key is hidden."""

    class same:
        class SelfAttention(oracle.SelfAttention):
            def forward(self, x, mask=None):
                return super().forward(x, None if mask is None else mask.logical_not() | ~mask.logical_not().any(-1, keepdim=True))

    return same


PUBLIC = Public(
    called=("attention", "self attention", "multi head attention", "mha", "causal self attention", "multihead attention"),
    takes={
        **dict.fromkeys(("n_embd", "d_model", "embed_dim", "emb_dim", "dim", "hidden_size", "d_in", "d_out", "embed_size", "model_dim", "hidden_dim"), "width"),
        **dict.fromkeys(("n_head", "n_heads", "num_heads", "nhead", "h", "num_attention_heads", "heads_num"), "heads"),
        **dict.fromkeys(("head_size", "head_dim", "d_k", "d_head", "d_v"), "width // heads"),
        **dict.fromkeys(("attn_mask", "attention_mask"), "mask"),
        **dict.fromkeys(("q", "query", "k", "key", "v", "value", "queries", "keys", "values", "hidden_states", "inputs", "input"), "x"),
    },
    layers={
        "qkv": (
            ("qkv|c_attn|in_proj|to_qkv|attn|w_?qkv|qkv_proj|query_key_value",),
            ("q|w_?q|q_?proj|query|to_q|queries|w_query|q_linear|fc_q", "k|w_?k|k_?proj|key|to_k|keys|w_key|k_linear|fc_k", "v|w_?v|v_?proj|value|to_v|values|w_value|v_linear|fc_v"),
        ),
        "out": (("out|out_?proj|c_proj|proj|w_?o|o_?proj|to_out|output|fc_out|unify_?heads|fc_?o|output_proj|dense|out_linear",),),
    },
    not_asked={"a_width_that_does_not_fit_is_refused": "it doesn't refuse such a width with a ValueError"},
    conventions={
        "causal": Convention("It always hides later positions.", causal, ("a_mask_holds_for_all_heads", "each_sequence_has_its_mask")),
        "no-bias": Convention("Its queries, keys and values have no bias.", without_bias, ("gradients_reach_x_and_all_parameters",)),
        "mask-hides": Convention("Its mask is True where a key is hidden.", inverted),
        "assert": Convention("It refuses wrong sizes with an assert.", adapter="SelfAttention = asserting(SelfAttention)"),
    },
)
