"""Known mistakes and odd-but-correct solutions for grouped_attention."""

import torch
from bonus2_grouped_heads import grouped_attention

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "wrong_name-L8-2": "k and v have the same number of heads",
    "in_place-L14-1": "the mask is nobody else's",
    "in_place-L15-1": "the scores are nobody else's",
    "change_dim-L16-2": "there are four axes",
}

HINTS = (
    "Write down for 6 query heads and 3 groups which group each query head uses. Which function repeats elements next to each other?",
    "Make keys and values with as many heads as q. Query head h uses head h // (heads // groups).",
    "repeat_interleave along axis 1 for k and for v, then ordinary attention. Before that, compare the remainder of heads and groups with 0.",
)


def share_of(q, k):
    """How many query heads share a head; ValueError if that isn't even."""
    share, rest = divmod(q.shape[1], k.shape[1])
    if rest:
        raise ValueError("heads is no multiple of groups")
    return share


def plain(q, k, v, is_causal=False):
    """Attention with as many heads of keys as of queries."""
    return grouped_attention(q, k, v, is_causal)


@mistake("grouped_attention", common=True)
def repeats_the_whole(q, k, v, is_causal=False):
    """The heads were repeated as 0, 1, 0, 1: neighboring query heads share, so repeat each head next to itself with repeat_interleave."""
    share = share_of(q, k)
    return plain(q, k.repeat(1, share, 1, 1), v.repeat(1, share, 1, 1), is_causal)


@mistake("grouped_attention")
def always_the_first_head(q, k, v, is_causal=False):
    """All query heads used head 0 of keys and values: each group has its own."""
    share_of(q, k)
    return plain(q, k[:, :1].expand(-1, q.shape[1], -1, -1), v[:, :1].expand(-1, q.shape[1], -1, -1), is_causal)


@mistake("grouped_attention")
def averages_the_heads(q, k, v, is_causal=False):
    """The heads of keys and values were averaged: each group of queries uses one head as it is."""
    share_of(q, k)
    size = (-1, q.shape[1], -1, -1)
    return plain(q, k.mean(1, keepdim=True).expand(size), v.mean(1, keepdim=True).expand(size), is_causal)


@mistake("grouped_attention")
def repeats_keys_one_way_and_values_another(q, k, v, is_causal=False):
    """Keys and values were repeated in different orders, so a query head has the keys of one group and the values of another: repeat both next to each other."""
    share = share_of(q, k)
    return plain(q, k.repeat_interleave(share, 1), v.repeat(1, share, 1, 1), is_causal)


@mistake("grouped_attention")
def one_query_head_for_each_group(q, k, v, is_causal=False):
    """The query heads of a group were averaged: each query head keeps its own queries."""
    share = share_of(q, k)
    q = q.unflatten(1, (-1, share)).mean(2).repeat_interleave(share, 1)
    return plain(q, k.repeat_interleave(share, 1), v.repeat_interleave(share, 1), is_causal)


@mistake("grouped_attention")
def does_not_scale(q, k, v, is_causal=False):
    """Scores were not divided by the square root of width."""
    return grouped_attention(q * q.shape[-1] ** 0.5, k, v, is_causal)


@mistake("grouped_attention")
def softmax_over_the_queries(q, k, v, is_causal=False):
    """Softmax was taken over the queries: the weights of one query, over all keys, sum to 1."""
    share = share_of(q, k)
    scores = q @ k.repeat_interleave(share, 1).transpose(2, 3) / q.shape[-1] ** 0.5
    if is_causal:
        return grouped_attention(q, k, v, True)
    return scores.softmax(2) @ v.repeat_interleave(share, 1)


@mistake("grouped_attention", about="causal_queries_see_no_later_key", common=True)
def ignores_is_causal(q, k, v, is_causal=False):
    """is_causal has no effect: with it a query sees no later key."""
    return grouped_attention(q, k, v)


@mistake("grouped_attention")
def always_causal(q, k, v, is_causal=False):
    """Keys were hidden although is_causal is False: pass it on."""
    return grouped_attention(q, k, v, True)


@mistake("grouped_attention", about="uneven_groups_raise", common=True)
def leaves_out_heads(q, k, v, is_causal=False):
    """Heads that are no multiple of groups raised another error than ValueError, or none: compare the remainder first."""
    share = -(-q.shape[1] // k.shape[1])
    heads = q.shape[1]
    return plain(q, k.repeat_interleave(share, 1)[:, :heads], v.repeat_interleave(share, 1)[:, :heads], is_causal)


@alternative("grouped_attention")
def groups_of_queries(q, k, v, is_causal=False):
    """An axis for the groups, and keys that broadcast over the heads of a group."""
    share = share_of(q, k)
    scores = q.unflatten(1, (k.shape[1], share)) @ k.unsqueeze(2).mT / q.shape[-1] ** 0.5
    if is_causal:
        later = torch.triu(torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device), 1)
        scores = scores.masked_fill(later, float("-inf"))
    return (scores.softmax(-1) @ v.unsqueeze(2)).flatten(1, 2)


@alternative("grouped_attention")
def expand_and_reshape(q, k, v, is_causal=False):
    """A new axis, expanded and flattened."""
    share = share_of(q, k)
    k, v = (t[:, :, None].expand(-1, -1, share, -1, -1).flatten(1, 2) for t in (k, v))
    return plain(q, k, v, is_causal)


@alternative("grouped_attention")
def with_an_index(q, k, v, is_causal=False):
    """The group of each head, as an index."""
    group = torch.arange(q.shape[1], device=q.device) // share_of(q, k)
    return plain(q, k[:, group], v[:, group], is_causal)
