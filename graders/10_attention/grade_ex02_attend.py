"""Hidden checks for attend: weights, lookups, leading axes, large scores, gradients."""

import torch

from torchdojo.grading import check, gradients, tensor, upstream

CONCEPTS = ("L02",)

FORBIDS = {
    "aten.*scaled_dot_product*": "PyTorch's own attention",
    "aten._native_multi_head_attention*": "PyTorch's own attention",
    "nn.MultiheadAttention": "nn.MultiheadAttention",
    "functional.multi_head_attention_forward": "PyTorch's own attention",
}
BECAUSE = "compute the weights yourself"
KEPT = {"a_query_reads_the_value_of_its_key": "the result, worth points with a single batch axis"}


class oracle:
    """nn.functional.scaled_dot_product_attention; with the unit matrix for values it gives the weights."""

    def attend(q, k, v):
        attention = torch.nn.functional.scaled_dot_product_attention
        unit = torch.eye(k.shape[-2], dtype=k.dtype, device=k.device).expand(*k.shape[:-2], -1, -1)
        return attention(q, k, v), attention(q, k, unit)


# the square root of the width may be a float32 tensor, which is right to 1 in 1e7
CLOSE = {"minimum": 1, "tolerance": (1e-5, 1e-5)}


def lookup(v, scale=None):
    """Queries and keys of the values v: query i points the way of one key alone, key i - 1.

    By default that key's score is near 70: exp doesn't overflow, and with another divisor the weights are 0 and 1 as well."""
    k = (scale or 7.0 + v.shape[-2]) * torch.eye(v.shape[-2], dtype=v.dtype, device=v.device).expand(*v.shape[:-1], -1)
    return k.roll(1, -2), k


@check(points=3, q=tensor("batch queries width"), k=tensor("batch keys width"), v=tensor("batch keys features"), **CLOSE)
def the_weights_are_right(solution, q, k, v):
    """The weights are the softmax of the scaled dot products, taken over the keys."""
    return {"weights": solution.attend(q, k, v)[1]}


@check(points=3, v=tensor("batch keys features"), **CLOSE)
def a_query_reads_the_value_of_its_key(solution, v):
    """A query that points in the direction of one key alone gets that key's value."""
    q, k = lookup(v)
    return {"result": solution.attend(q, k, v)[0]}


@check(points=1, star=True, v=tensor("... keys features"), **CLOSE)
def any_leading_axes_work(solution, v):
    """Any leading axes work, including none."""
    q, k = lookup(v)
    result, weights = solution.attend(q, k, v)
    return {"result": result, "weights": weights}


@check(points=1, star=True, v=tensor("batch keys features"), scale=[128.0, -1024.0], **CLOSE)
def large_scores_do_not_overflow(solution, v, scale):
    """Scores in the thousands and millions give finite weights."""
    q, k = lookup(v, abs(scale))
    result, weights = solution.attend(q if scale > 0 else q - 8 * abs(scale), k, v)
    return {"result": result, "weights": weights}


@check(points=1, q=tensor("batch queries width", distinct=True), k=tensor("batch keys width", distinct=True), v=tensor("batch keys features", distinct=True), minimum=2)
def gradients_reach_q_k_and_v(solution, q, k, v, rng):
    """Gradients reach queries, keys and values."""
    inputs = [t.requires_grad_() for t in (q, k, v)]
    result = solution.attend(*inputs)[0]
    found = gradients(result, inputs, upstream(result, rng))
    return {f"a gradient reaches {name}": g is not None and bool((g != 0).any()) for name, g in zip("qkv", found, strict=True)}
