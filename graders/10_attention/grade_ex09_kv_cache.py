"""Hidden checks for CachedAttention: the whole at once, in steps, in pieces."""

import torch
from torch import nn

from torchdojo.grading import check, gradients, tensor, upstream

CONCEPTS = ("L09", "B03")

KEPT = {
    "a_sequence_at_once_is_causal": "attention without a cache, worth points of its own",
    "steps_agree_with_the_whole": "one step at a time is the task, pieces are for full marks",
    "the_cache_has_keys_and_values": "what is kept, said by itself",
    "an_old_cache_stays": "what becomes of the cache that is passed in, said by itself",
}


class oracle:
    """All positions again in each call, head by head."""

    class CachedAttention(nn.Module):
        def __init__(self, width, heads):
            super().__init__()
            self.heads, self.qkv, self.out = heads, nn.Linear(width, 3 * width), nn.Linear(width, width)

        def forward(self, x, cache=None):
            size, new = x.shape[-1] // self.heads, x.shape[1]
            q, k, v = (torch.stack(part.split(size, dim=-1), dim=1) for part in self.qkv(x).split(x.shape[-1], dim=-1))
            if cache is not None:
                k, v = (torch.cat(pair, dim=2) for pair in zip(cache, (k, v), strict=True))
            past, rows = k.shape[2] - new, []
            for t in range(new):
                end = past + t + 1
                scores = (q[:, :, t, None] * k[:, :, :end]).sum(-1) / size**0.5
                rows.append((scores.softmax(-1)[..., None] * v[:, :, :end]).sum(2).flatten(1))
            return self.out(torch.stack(rows, dim=1)), (k, v)


def attention_of(solution, x, heads):
    """A module whose weights depend on their places alone."""
    module = solution.CachedAttention(x.shape[-1], heads).to(x)
    with torch.no_grad():
        for p in module.parameters():
            p.copy_((torch.arange(p.numel(), device=p.device) * 7 % 11 - 5).reshape(p.shape) / 8)
    return module


def in_pieces(module, x, sizes):
    """The results of these pieces, and the last cache."""
    results, cache = [], None
    for piece in x.split(sizes, dim=1):
        result, cache = module(piece) if cache is None else module(piece, cache)
        results.append(result)
    return torch.cat(results, dim=1), cache


def shown(cache):
    """Keys and values by name."""
    return {"keys": cache[0], "values": cache[1]}


X, HEADS = tensor("batch time 4"), [2, 4, 1]
NARROW = tensor("batch time 1")  # one head of width 1: no scale, nothing to split, so that only the cache matters
LEAST = {"batch": 1, "time": 3}


@check(points=2, x=X, heads=HEADS, minimum=LEAST)
def a_sequence_at_once_is_causal(solution, x, heads, rng):
    """Without a cache, each position attends to itself and earlier ones, and the gradients are right."""
    x.requires_grad_()
    result = attention_of(solution, x, heads)(x)[0]
    return {"result": result.detach(), "gradient of x": gradients(result, [x], upstream(result, rng))[0]}


@check(points=3, x=NARROW, minimum=LEAST)
def steps_agree_with_the_whole(solution, x):
    """One position at a time, with the cache, gives the same results as the whole sequence."""
    with torch.no_grad():
        return in_pieces(attention_of(solution, x, heads=1), x, [1] * x.shape[1])[0]


@check(points=1, x=X, heads=HEADS, minimum=LEAST)
def the_cache_has_keys_and_values(solution, x, heads):
    """The cache has the keys and values of all positions so far, in their order."""
    with torch.no_grad():
        module = attention_of(solution, x, heads)
        first = module(x[:, :2])[1]
        return {"after two positions": shown(first), "after one more": shown(module(x[:, 2:3], first)[1])}


@check(points=2, star=True, x=NARROW, minimum={"batch": 1, "time": 4})
def pieces_agree_with_the_whole(solution, x):
    """If several new positions follow a cache, none of them sees a later one."""
    with torch.no_grad():
        module = attention_of(solution, x, heads=1)
        return [in_pieces(module, x, [first, x.shape[1] - first])[0] for first in (1, 2)]


@check(points=1, star=True, x=NARROW, minimum=LEAST, beside=True)
def an_old_cache_stays(solution, x):
    """A call does not change its cache, so the cache can be used again."""
    with torch.no_grad():
        module = attention_of(solution, x, heads=1)
        cache = module(x[:, :2])[1]
        before = tuple(part.clone() for part in cache)
        result = module(x[:, 2:3], cache)[0]
        same = len(cache) == len(before) and all(map(torch.equal, cache, before))
        return result, {"the cache is as it was": same}
