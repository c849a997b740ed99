"""Known mistakes and odd-but-correct solutions for attend."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {"wrong_name-L8-3": "q and k have the same width"}

HINTS = (
    "Three steps: scores, weights, result. Write down the shape of each before you write code.",
    "The scores are a matrix product of the queries and the keys with their last two axes swapped. Softmax runs over the keys, the "
    "last axis of the scores.",
    "scores: q @ the transposed k, divided by the square root of q.shape[-1]. weights: softmax over dim=-1. result: weights @ v.",
)


def scores_of(q, k):
    """The right scores."""
    return q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5


@mistake("attend", about="the_weights_are_right", common=True)
def forgets_to_scale(q, k, v):
    """The scores were not divided by the square root of the width."""
    weights = (q @ k.transpose(-2, -1)).softmax(dim=-1)
    return weights @ v, weights


@mistake("attend", about="the_weights_are_right")
def divides_by_the_width(q, k, v):
    """The scores were divided by the width: divide by its square root."""
    weights = (q @ k.transpose(-2, -1) / q.shape[-1]).softmax(dim=-1)
    return weights @ v, weights


@mistake("attend", about="the_weights_are_right")
def multiplies_by_the_root(q, k, v):
    """The scores were multiplied by the square root of the width: divide by it."""
    weights = (q @ k.transpose(-2, -1) * q.shape[-1] ** 0.5).softmax(dim=-1)
    return weights @ v, weights


@mistake("attend", about="the_weights_are_right")
def scales_by_the_number_of_keys(q, k, v):
    """The scores were divided by the square root of the number of keys: take the width, the last axis of q and k."""
    weights = (q @ k.transpose(-2, -1) / k.shape[-2] ** 0.5).softmax(dim=-1)
    return weights @ v, weights


@mistake("attend", about="the_weights_are_right")
def scales_by_the_width_of_the_values(q, k, v):
    """The scores were divided by the square root of the last axis of v: take that of q and k."""
    weights = (q @ k.transpose(-2, -1) / v.shape[-1] ** 0.5).softmax(dim=-1)
    return weights @ v, weights


@mistake("attend", about="the_weights_are_right", common=True)
def softmax_over_the_queries(q, k, v):
    """Softmax ran over the queries, so the weights of one query don't sum to 1: use the last axis, the keys."""
    weights = scores_of(q, k).softmax(dim=-2)
    return weights @ v, weights


@mistake("attend", about="the_weights_are_right")
def softmax_over_the_batch(q, k, v):
    """Softmax ran over the first axis, the batch: use the last axis, the keys."""
    weights = scores_of(q, k).softmax(dim=0)
    return weights @ v, weights


@mistake("attend", about="the_weights_are_right")
def scales_after_the_softmax(q, k, v):
    """The weights were divided by the square root of the width after the softmax: divide the scores before it."""
    weights = (q @ k.transpose(-2, -1)).softmax(dim=-1) / q.shape[-1] ** 0.5
    return weights @ v, weights


@mistake("attend", about="the_weights_are_right")
def returns_the_scores(q, k, v):
    """The second result is the scores: return the weights, after the softmax."""
    scores = scores_of(q, k)
    return scores.softmax(dim=-1) @ v, scores


@mistake("attend", about="the_weights_are_right")
def returns_log_weights(q, k, v):
    """The weights are logarithms: use softmax, not log_softmax."""
    weights = scores_of(q, k).log_softmax(dim=-1)
    return weights @ v, weights


@mistake("attend", about="a_query_reads_the_value_of_its_key")
def skips_the_softmax(q, k, v):
    """The values were weighed with the raw scores: apply softmax first."""
    scores = scores_of(q, k)
    return scores @ v, scores.softmax(dim=-1)


@mistake("attend")
def returns_the_weights_first(q, k, v):
    """The two results came in the wrong order: first the result, then the weights."""
    weights = scores_of(q, k).softmax(dim=-1)
    return weights, weights @ v


@mistake("attend", about="any_leading_axes_work")
def only_for_one_batch_axis(q, k, v):
    """Other leading axes than one batch axis don't work: torch.bmm and fixed axis numbers need exactly three axes. Use @ and negative axes."""
    weights = torch.bmm(q, k.transpose(1, 2)).div(q.shape[2] ** 0.5).softmax(dim=2)
    return torch.bmm(weights, v), weights


@mistake("attend", about="large_scores_do_not_overflow", common=True)
def softmax_that_overflows(q, k, v):
    """exp overflowed, and inf / inf is nan: use torch.softmax, or subtract the largest score of each query first."""
    weights = scores_of(q, k).exp()
    weights = weights / weights.sum(dim=-1, keepdim=True)
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
