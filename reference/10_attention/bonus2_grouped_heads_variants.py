"""Known mistakes and unusual but correct solutions for grouped_attention."""

import torch

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


repeats_the_whole = mistake.edited(
    "k, v = k.repeat_interleave(share, dim=1), v.repeat_interleave(share, dim=1)",
    "k, v = k.repeat(1, share, 1, 1), v.repeat(1, share, 1, 1)",
    "Neighboring query heads must share a head of k and v: the first heads / groups of them use head 0. Yours are paired in "
    "another order.",
    common=True,
    pitfall="k.repeat(1, 2, 1, 1)")

always_the_first_head = mistake.edited(
    "k, v = k.repeat_interleave(share, dim=1), v.repeat_interleave(share, dim=1)",
    "k, v = (t[:, :1].expand(-1, q.shape[1], -1, -1) for t in (k, v))",
    "All query heads used head 0 of keys and values: each group has its own.")

averages_the_heads = mistake.edited(
    "k, v = k.repeat_interleave(share, dim=1), v.repeat_interleave(share, dim=1)",
    "k, v = (t.mean(1, keepdim=True).expand(-1, q.shape[1], -1, -1) for t in (k, v))",
    "The heads of keys and values were averaged: each group of queries uses one head as it is.")

repeats_keys_one_way_and_values_another = mistake.edited(
    "v.repeat_interleave(share, dim=1)", "v.repeat(1, share, 1, 1)",
    "A query head has the keys of one group and the values of another: use the same head of k and v for it.")

one_query_head_for_each_group = mistake.edited(
    "k, v = k.repeat_interleave(share, dim=1), v.repeat_interleave(share, dim=1)",
    """
    q = q.unflatten(1, (-1, share)).mean(2).repeat_interleave(share, 1)
    k, v = k.repeat_interleave(share, dim=1), v.repeat_interleave(share, dim=1)
    """,
    "The query heads of a group were averaged: each query head keeps its own queries.")

does_not_scale = mistake.edited(" / q.shape[3] ** 0.5", "",
    "Scores were not divided by the square root of width.")

softmax_over_the_queries = mistake.edited("softmax(dim=3)", "softmax(dim=2)",
    "Softmax was taken over the queries: the weights of one query, over all keys, sum to 1.")

ignores_is_causal = mistake.edited("if is_causal:", "if False:",
    "With is_causal=True a query still sees later keys: hide the keys that come after it.",
    about="causal_queries_see_no_later_key", common=True)

always_causal = mistake.edited("if is_causal:", "if True:",
    "Keys were hidden although is_causal is False: hide later keys only if it is True.")

leaves_out_heads = mistake.edited("divmod(q.shape[1], k.shape[1])", "-(-q.shape[1] // k.shape[1]), 0",
    "If heads is not a multiple of groups, a different error was raised, or none: check the remainder first, and raise ValueError.",
    also=[("k, v = k.repeat_interleave(share, dim=1), v.repeat_interleave(share, dim=1)",
         "k, v = (t.repeat_interleave(share, dim=1)[:, : q.shape[1]] for t in (k, v))")],
    about="uneven_groups_raise", common=True)

checks_no_remainder = mistake.edited("if rest:", "if False:",
    "If heads is not a multiple of groups, a different error was raised, or none: check the remainder first, and raise ValueError.",
    about="uneven_groups_raise")

asserts_the_groups = mistake.edited(
    'raise ValueError(f"{q.shape[1]} query heads can\'t share {k.shape[1]} heads of keys evenly")',
    "raise AssertionError",
    "A number of heads that is not a multiple of groups raised AssertionError, as an assert does: raise ValueError.",
    about="uneven_groups_raise",
)

hides_the_query_itself = mistake.edited(
    "triu(1)",
    "triu()",
    "With is_causal=True query t doesn't see key t: it sees the keys 0 to t.",
    about="causal_queries_see_no_later_key",
)

hides_earlier_keys = mistake.edited(
    "triu(1)",
    "tril()",
    "With is_causal=True the earlier keys were hidden: hide the later ones.",
    about="causal_queries_see_no_later_key",
)


groups_of_queries = alternative.edited(
    "q @ k.transpose(2, 3)", "q.unflatten(1, (k.shape[1], share)) @ k.unsqueeze(2).mT",
    "An axis for the groups, and keys that broadcast over the heads of a group.",
    also=[
        ("k, v = k.repeat_interleave(share, dim=1), v.repeat_interleave(share, dim=1)", ""),
        ("scores.softmax(dim=3) @ v", "(scores.softmax(-1) @ v.unsqueeze(2)).flatten(1, 2)"),
    ])

expand_and_reshape = alternative.edited(
    "k, v = k.repeat_interleave(share, dim=1), v.repeat_interleave(share, dim=1)",
    "k, v = (t[:, :, None].expand(-1, -1, share, -1, -1).flatten(1, 2) for t in (k, v))",
    "A new axis, expanded and flattened.")

with_an_index = alternative.edited(
    "k, v = k.repeat_interleave(share, dim=1), v.repeat_interleave(share, dim=1)",
    "group = torch.arange(q.shape[1], device=q.device) // share\nk, v = k[:, group], v[:, group]",
    "The group of each head, as an index.")


@mistake("grouped_attention", forbidden="torch.nn.functional.scaled_dot_product_attention")
def asks_pytorch(q, k, v, is_causal=False):
    """You called PyTorch's own attention: repeat the heads, and write the formula yourself."""
    share, rest = divmod(q.shape[1], k.shape[1])
    if rest:
        raise ValueError("the heads can't be shared evenly")
    k, v = k.repeat_interleave(share, dim=1), v.repeat_interleave(share, dim=1)
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=is_causal)


@mistake("grouped_attention", forbidden="nn.MultiheadAttention")
def asks_a_module(q, k, v, is_causal=False):
    """You used nn.MultiheadAttention: repeat the heads, and write the formula yourself."""
    share, rest = divmod(q.shape[1], k.shape[1])
    if rest:
        raise ValueError("the heads can't be shared evenly")
    k, v = k.repeat_interleave(share, dim=1), v.repeat_interleave(share, dim=1)
    layer = torch.nn.MultiheadAttention(q.shape[3], 1, bias=False, batch_first=True, dtype=q.dtype, device=q.device)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.eye(q.shape[3]).repeat(3, 1))
    later = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).triu(1) if is_causal else None
    keys = k.flatten(0, 1)
    weights = layer(q.flatten(0, 1), keys, keys, attn_mask=later)[1]
    return weights.reshape(*q.shape[:3], k.shape[2]) @ v
