"""Hidden checks for my_attention and to_attn_mask: against PyTorch's own function, argument by argument."""

import torch

from torchdojo.grading import check, gradients, raises, tensor, upstream

CONCEPTS = ("L04",)

FORBIDS = {
    "aten.*scaled_dot_product*": "PyTorch's own attention",
    "aten._native_multi_head_attention*": "PyTorch's own attention",
    "nn.MultiheadAttention": "nn.MultiheadAttention",
    "functional.multi_head_attention_forward": "PyTorch's own attention",
}
BECAUSE = "write the formula yourself"


class oracle:
    """PyTorch's own attention, which refuses two masks with a RuntimeError."""

    def my_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
        if is_causal and attn_mask is not None:
            raise ValueError("not both")
        return torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask, dropout_p, is_causal, scale=scale)

    def to_attn_mask(key_padding_mask):
        return key_padding_mask.logical_not().reshape(len(key_padding_mask), 1, 1, -1)


QUERY, KEY, VALUE = tensor("batch heads queries width"), tensor("batch heads keys width"), tensor("batch heads keys features")
THREE = {"query": QUERY, "key": KEY, "value": VALUE}
# of width 1, where the scale is 1: these checks are about masks
FLAT = {"query": tensor("batch heads queries 1"), "key": tensor("batch heads keys 1"), "value": VALUE}
# the square root of the width may be a float32 tensor, which is right to 1 in 1e7
CLOSE = {"minimum": 1, "tolerance": (1e-5, 1e-5)}


def with_a_key(mask):
    """The mask with at least one key in each row."""
    mask = mask.clone()
    mask[..., 0] = True
    return mask


@check(points=2, **THREE, **CLOSE)
def without_a_mask_all_keys_are_read(solution, query, key, value):
    """Without a mask all keys are read, and the scale is 1 / sqrt(width)."""
    return solution.my_attention(query, key, value)


@check(points=3, **FLAT, square=tensor("queries keys", dtype="bool"), padding=tensor("batch keys", dtype="bool"), **CLOSE)
def a_bool_mask_says_what_is_read(solution, query, key, value, square, padding):
    """True in a bool mask means that the query may read the key; the fourth argument is the mask."""
    return {
        "with a mask of shape (queries, keys)": solution.my_attention(query, key, value, with_a_key(square)),
        "with a mask of shape (batch, 1, 1, keys)": solution.my_attention(query, key, value, attn_mask=with_a_key(padding)[:, None, None]),
    }


@check(points=2, query=tensor("batch heads queries 4"), key=tensor("batch heads keys 4"), value=VALUE, bias=tensor("batch 1 queries keys"), **CLOSE)
def a_float_mask_is_added(solution, query, key, value, bias):
    """A float mask is added to the scaled scores; -inf hides a key."""
    bias = bias.masked_fill(bias < -3, float("-inf"))
    bias[..., 0] = 1.0
    return solution.my_attention(query, key, value, attn_mask=bias, scale=0.5)


@check(points=2, **FLAT, **CLOSE)
def causal_counts_from_the_first_key(solution, query, key, value):
    """With is_causal=True query i reads the keys 0 to i."""
    return solution.my_attention(query, key, value, None, 0.0, True)


@check(points=3, key_padding_mask=tensor("batch keys", dtype="bool"), minimum=1)
def a_padding_mask_is_turned_round(solution, key_padding_mask):
    """to_attn_mask is True at the keys that may be read, with two axes of size 1 in the middle."""
    return {"mask": solution.to_attn_mask(key_padding_mask)}


@check(
    points=1, star=True, query=tensor("batch heads queries width", distinct=True), key=tensor("batch heads keys width", distinct=True),
    value=tensor("batch heads keys features", distinct=True), masked=["without a mask", "with a bool mask", "with a float mask"], minimum=2,
)  # fmt: skip
def gradients_reach_all_three(solution, query, key, value, masked, rng):
    """Gradients reach query, key and value, with each kind of mask."""
    read = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool, device=query.device)
    mask = {"without a mask": None, "with a bool mask": read, "with a float mask": read.to(query.dtype)}[masked]
    inputs = [t.requires_grad_() for t in (query, key, value)]
    result = solution.my_attention(*inputs, mask)
    found = gradients(result, inputs, upstream(result, rng))
    names = ("query", "key", "value")
    return {f"a gradient reaches {name}": g is not None and bool((g != 0).any()) for name, g in zip(names, found, strict=True)}


@check(points=0.5, star=True, **THREE, scale=[0.25, 0.0, 1.0], **CLOSE)
def scale_replaces_the_default(solution, query, key, value, scale):
    """scale replaces 1 / sqrt(width), even if it is 0.0."""
    return solution.my_attention(query, key, value, scale=scale)


@check(points=1, star=True, p=[0.25, 0.75], random=True)
def dropout_zeroes_weights(solution, p, device):
    """A fraction of about dropout_p of the weights becomes 0; the others are divided by 1 - dropout_p."""
    zeros, unit = torch.zeros(1, 4, 50, 1, device=device), torch.eye(50, device=device).expand(1, 4, -1, -1)
    weights = solution.my_attention(zeros, zeros, unit, dropout_p=p) * 50 * (1 - p)
    return {"zero": (weights.abs() < 1e-4).double().mean().item(), "one": ((weights - 1).abs() < 1e-4).double().mean().item(),
            "with values of 1": solution.my_attention(zeros, zeros, torch.ones_like(zeros), dropout_p=p).unique().tolist()}  # fmt: skip


@dropout_zeroes_weights.judge
def _(seen, p):
    if abs(seen["zero"] - p) > 0.05:  # 10,000 weights: ten standard deviations
        return f"{seen['zero']:.2f} of the weights became 0, wanted about {p}"
    if abs(seen["zero"] + seen["one"] - 1) > 1e-6:
        return "the weights that are not 0 are not those without dropout divided by 1 - dropout_p"
    if len(seen["with values of 1"]) < 3:
        found = " or ".join(f"{value:.4g}" for value in seen["with values of 1"])
        return f"where all values are 1, each number of the result is {found}; if dropout acts on single weights, there are many different sums"
    return None


@check(points=0.5, star=True, **FLAT, minimum=1)
def two_masks_are_refused(solution, query, key, value):
    """An attn_mask together with is_causal=True raises a ValueError or a RuntimeError."""
    bool_mask = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool, device=query.device)
    masks = {"a bool mask": bool_mask, "a float mask": bool_mask.to(query.dtype)}
    found = {name: raises(lambda m=mask: solution.my_attention(query, key, value, m, is_causal=True), ValueError, RuntimeError) for name, mask in masks.items()}
    return {name: "ValueError or RuntimeError" if error in ("ValueError", "RuntimeError") else error for name, error in found.items()}
