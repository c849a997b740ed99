"""Hidden checks for grouped_attention: which head serves which queries."""

import torch

from torchdojo.grading import check, gradients, raises, tensor, upstream

CONCEPTS = ("L12",)

FORBIDS = {
    "aten.*scaled_dot_product*": "PyTorch's own attention",
    "aten._native_multi_head_attention*": "PyTorch's own attention",
    "nn.MultiheadAttention": "nn.MultiheadAttention",
    "functional.multi_head_attention_forward": "PyTorch's own attention",
}
BECAUSE = "write out yourself which heads share"
KEPT = {"one_head_is_ordinary_attention": "attention without groups, worth points of its own"}


class oracle:
    """Query head by query head, written out."""

    def grouped_attention(q, k, v, is_causal=False):
        share, rest = divmod(q.shape[1], k.shape[1])
        if rest:
            raise ValueError
        found = []
        for h in range(q.shape[1]):
            scores = q[:, h] @ k[:, h // share].transpose(1, 2) / q.shape[-1] ** 0.5
            if is_causal:
                later = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device).triu(1)
                scores = scores.masked_fill(later, -torch.inf)
            found.append(scores.softmax(-1) @ v[:, h // share])
        return torch.stack(found, dim=1)


def scaled(t):
    """Small numbers, so that softmax has more than one winner."""
    return t / 4


LEAST = {"batch": 1, "groups": 1, "time": 1, "keys": 1, "width": 1, "features": 1}
K, V = tensor("batch groups keys width"), tensor("batch groups keys features")


@check(points=1, q=tensor("batch 1 time width"), k=tensor("batch 1 keys width"), v=tensor("batch 1 keys features"), minimum=LEAST)
def one_head_is_ordinary_attention(solution, q, k, v):
    """With one head this is ordinary attention."""
    return solution.grouped_attention(scaled(q), scaled(k), v)


@check(points=3, one=tensor("batch groups time width"), other=tensor("batch groups time width"), k=tensor("batch groups keys 1"), v=V, more=[False, True], minimum=LEAST)
def neighbors_share_a_head(solution, one, other, k, v, more, rng):
    """Neighboring query heads share the keys and values of one head, and their gradients add up."""
    heads = [one[..., :1], other[..., :1]] + [one[..., :1] + 1] * more
    q, k, v = torch.cat(heads, dim=1).clone().requires_grad_(), k.requires_grad_(), v.requires_grad_()
    found = solution.grouped_attention(q, k, v)
    named = zip(("q", "k", "v"), gradients(found, [q, k, v], upstream(found, rng)), strict=True)
    return {"result": found.detach(), **{f"gradient of {name}": g for name, g in named}}


@check(points=1, q=tensor("batch 3 time 1"), k=tensor("batch 1 time 1"), v=tensor("batch 1 time features"), minimum=LEAST)
def causal_queries_see_no_later_key(solution, q, k, v, rng):
    """With is_causal=True, a query reads no later key, and the gradients are right."""
    q.requires_grad_()
    found = solution.grouped_attention(q, k, v, is_causal=True)
    return {"result": found.detach(), "gradient of q": gradients(found, [q], upstream(found, rng))[0]}


@check(points=1, star=True, q=tensor("batch heads time 2"), heads=[3, 5, 1], groups=[2, 4], minimum=LEAST | {"heads": 1}, devices=False, beside=True)
def uneven_groups_raise(solution, q, heads, groups):
    """A number of heads that is not a multiple of groups raises a ValueError."""
    k = q[:, :1]
    many, few = k.expand(-1, heads, -1, -1), k.expand(-1, groups, -1, -1)
    return solution.grouped_attention(k, k, k), {"error": raises(lambda: solution.grouped_attention(many, few, few), ValueError)}
