"""Known mistakes and unusual but correct solutions for attend."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {"wrong_name-L8-3": "q and k have the same width"}

HINTS = (
    "Three steps: scores, weights, result. Write down the shape of each before you write code.",
    "The scores are a matrix product of the queries and the keys with their last two axes swapped. Softmax runs over the keys, the "
    "last axis of the scores.",
    "scores: q @ the transposed k, divided by the square root of q.shape[-1]. weights: softmax over dim=-1. result: weights @ v.",
)


forgets_to_scale = mistake.edited(" / q.shape[-1] ** 0.5", "",
    "The scores were not divided by the square root of the width.",
    about="the_weights_are_right", common=True)

divides_by_the_width = mistake.edited("q.shape[-1] ** 0.5", "q.shape[-1]",
    "The scores were divided by the width: divide by its square root.",
    about="the_weights_are_right")

multiplies_by_the_root = mistake.edited("/ q.shape[-1] ** 0.5", "* q.shape[-1] ** 0.5",
    "The scores were multiplied by the square root of the width: divide by it.",
    about="the_weights_are_right")

scales_by_the_number_of_keys = mistake.edited("q.shape[-1] ** 0.5", "k.shape[-2] ** 0.5",
    "The scores were divided by the square root of the number of keys: take the width, the last axis of q and k.",
    about="the_weights_are_right")

scales_by_the_width_of_the_values = mistake.edited("q.shape[-1] ** 0.5", "v.shape[-1] ** 0.5",
    "You divided the scores by the square root of v's last size: use the last size of q and k.",
    about="the_weights_are_right")

softmax_over_the_queries = mistake.edited("softmax(dim=-1)", "softmax(dim=-2)",
    "Softmax ran over the queries, so the weights of one query don't sum to 1: use the last axis, the keys.",
    about="the_weights_are_right", common=True)

softmax_over_the_batch = mistake.edited("softmax(dim=-1)", "softmax(dim=0)",
    "Softmax ran over the first axis, the batch: use the last axis, the keys.",
    about="the_weights_are_right")

scales_after_the_softmax = mistake.edited(
    "weights = scores.softmax(dim=-1)", "weights = scores.softmax(dim=-1) / q.shape[-1] ** 0.5",
    "The weights were divided by the square root of the width after the softmax: divide the scores before it.",
    also=[(" / q.shape[-1] ** 0.5", "")], about="the_weights_are_right")

returns_the_scores = mistake.edited("return weights @ v, weights", "return weights @ v, scores",
    "The second result is the scores: return the weights, after the softmax.",
    about="the_weights_are_right")

returns_log_weights = mistake.edited("softmax(dim=-1)", "log_softmax(dim=-1)",
    "The weights are logarithms: use softmax, not log_softmax.",
    about="the_weights_are_right")

skips_the_softmax = mistake.edited("return weights @ v, weights", "return scores @ v, weights",
    "The values were weighed with the raw scores: apply softmax first.",
    about="a_query_reads_the_value_of_its_key")

returns_the_weights_first = mistake.edited("return weights @ v, weights", "return weights, weights @ v",
    "The two results are in the wrong order: return the result first, then the weights.")

only_for_one_batch_axis = mistake.edited("q @ k.transpose(-2, -1)", "torch.bmm(q, k.transpose(1, 2))",
    "Leading axes other than a single batch axis don't work: use @, and count axes from the end with negative numbers.",
    also=[("weights @ v", "torch.bmm(weights, v)")], about="any_leading_axes_work")

softmax_that_overflows = mistake.edited(
    "weights = scores.softmax(dim=-1)", "weights = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)",
    "exp overflowed, and inf / inf is nan: use torch.softmax, or subtract the largest score of each query first.",
    about="large_scores_do_not_overflow", common=True)

counts_axes_from_the_front = mistake.edited(
    "k.transpose(-2, -1)",
    "k.transpose(1, 2)",
    "Leading axes other than a single batch axis don't work: count axes from the end, with negative numbers.",
    about="any_leading_axes_work",
)

reverses_all_axes = mistake.edited(
    "k.transpose(-2, -1)",
    "k.permute(*range(k.dim() - 1, -1, -1))",
    "All axes of k were reversed, the batch axis too: swap only the last two.",
    about="the_weights_are_right",
    pitfall="k.T reverses all axes",
)

returns_the_result_alone = mistake.edited(
    "return weights @ v, weights",
    "return weights @ v",
    "You returned only the result: return a pair, the result and the weights.",
)


def by_a_module(q, k, v):
    """One head of nn.MultiheadAttention that projects nothing; v has the width of q."""
    width, time = q.shape[-1], q.shape[-2]
    layer = torch.nn.MultiheadAttention(width, 1, bias=False, batch_first=True, dtype=q.dtype, device=q.device)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.eye(width).repeat(3, 1))
        layer.out_proj.weight.copy_(torch.eye(width))
    out, weights = layer(*(t.reshape(-1, *t.shape[-2:]) for t in (q, k, v)))
    return out.reshape(q.shape), weights.reshape(*q.shape[:-2], time, k.shape[-2])


@mistake("attend", forbidden="torch.nn.functional.scaled_dot_product_attention")
def asks_pytorch(q, k, v):
    """You called PyTorch's own attention: compute scores, softmax and weights yourself."""
    attention = torch.nn.functional.scaled_dot_product_attention
    return attention(q, k, v), attention(q, k, torch.eye(k.shape[-2], dtype=v.dtype, device=v.device).expand(*k.shape[:-1], -1))


@mistake("attend", forbidden="nn.MultiheadAttention")
def asks_a_module(q, k, v):
    """You used nn.MultiheadAttention: compute scores, softmax and weights yourself."""
    weights = by_a_module(q, k, k)[1]
    return weights @ v, weights


@alternative("attend")
def with_einsum(q, k, v):
    """Both products with einsum."""
    scores = torch.einsum("...qd,...kd->...qk", q, k) * q.size(-1) ** -0.5
    weights = torch.softmax(scores, -1)
    return torch.einsum("...qk,...kf->...qf", weights, v), weights


@alternative("attend")
def scales_the_queries(q, k, v):
    """The queries are scaled before the product, and the list of results is a list."""
    weights = torch.nn.functional.softmax((q / torch.tensor(q.shape[-1]).sqrt()).matmul(k.mT), dim=k.dim() - 1)
    return [torch.matmul(weights, v), weights]


@alternative("attend")
def by_broadcasting(q, k, v):
    """Products of all pairs, then a sum; the softmax by hand, with the largest score subtracted."""
    scores = (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(-1) / q.shape[-1] ** 0.5
    weights = (scores - scores.amax(-1, keepdim=True)).exp()
    weights = weights / weights.sum(-1, keepdim=True)
    return (weights.unsqueeze(-1) * v.unsqueeze(-3)).sum(-2), weights
