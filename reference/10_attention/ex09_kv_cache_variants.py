"""Known mistakes and unusual but correct solutions for CachedAttention."""

import torch
from ex09_kv_cache import CachedAttention
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "swap_statements-L14-1": "a number may be set before nn.Module is initialized",
    "add_detach-L23-1": "a cache is for inference; no gradient through it is asked for",
    "add_detach-L23-2": "a cache is for inference; no gradient through it is asked for",
    "wrong_name-L24-1": "as many values as keys",
    "in_place-L25-1": "the mask is nobody else's",
}

HINTS = (
    "Split the new positions into queries, keys and values first. Which of the three are needed again in the next call?",
    "The new keys go behind the cached ones along the axis of positions; so do the values. A new position number t of this call may see the first "
    "past + t + 1 keys.",
    "Concatenate along axis 2, and return both for the next call. A matrix of ones with `new` rows and `past + new` columns, cut with tril whose diagonal "
    "lies `past` columns to the right, is the mask. Then merge the heads and apply out.",
)


CausalFromTheFirstKey = mistake.edited("attn_mask=seen", "is_causal=True",
    "The causal mask is aligned with the first key, so new positions miss most of the cache: move its diagonal by the "
    "length of the cache.",
    common=True,
    pitfall="lines the mask up with the first key")

NoMaskWithACache = mistake.edited(
    "seen = torch.ones(new, total, dtype=torch.bool, device=x.device).tril(total - new)",
    "seen = torch.ones(new, total, dtype=torch.bool, device=x.device).tril(total - new) | (total > new)",
    "With a cache there was no mask, so several new positions saw each other's future. Only a single new position needs "
    "none.",
    about="pieces_agree_with_the_whole", common=True)

NoMaskAtAll = mistake.edited(".tril(total - new)", "",
    "Each position saw the positions after it: mask them.",
    common=True)

KeepsTheNewAlone = mistake.edited("if cache is not None:", "fresh = k, v\nif cache is not None:",
    "The returned cache has the new positions alone: return the concatenated keys and values.",
    also=[("return self.out(mixed.transpose(1, 2).flatten(2)), (k, v)",
         "return self.out(mixed.transpose(1, 2).flatten(2)), fresh")], common=True)

IgnoresTheCache = mistake.edited("if cache is not None:", "if False:",
    "The cache has no effect: put the new keys and values behind the cached ones.")

ReturnsTheOldCache = mistake.edited(
    "return self.out(mixed.transpose(1, 2).flatten(2)), (k, v)",
    "return self.out(mixed.transpose(1, 2).flatten(2)), cache or (k, v)",
    "The cache doesn't grow after the first call: return the concatenated keys and values.")

NewOnesFirst = mistake.edited(
    "k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)",
    "k, v = torch.cat([k, cache[0]], dim=2), torch.cat([v, cache[1]], dim=2)",
    "The new keys and values were put before the cached ones: the order is that of time, so the new ones come last.")

KeepsQueries = mistake.edited(
    "return self.out(mixed.transpose(1, 2).flatten(2)), (k, v)",
    "return self.out(mixed.transpose(1, 2).flatten(2)), (torch.cat([k[:, :, : total - new], q], dim=2), v)",
    "Queries were kept in place of keys: a query is used once, keys and values are needed again.")

ForgetsOldValues = mistake.edited(
    "return self.out(mixed.transpose(1, 2).flatten(2)), (k, v)",
    "return self.out(mixed.transpose(1, 2).flatten(2)), (k, k)",
    "The values of the cached positions are wrong: keep the values beside the keys, not the keys twice.")

ScalesByTheWholeWidth = mistake.edited("attn_mask=seen", "attn_mask=seen, scale=x.shape[2] ** -0.5",
    "Scores were divided by the square root of width: each head has only width // heads numbers.")

DoesNotScale = mistake.edited("attn_mask=seen", "attn_mask=seen, scale=1.0",
    "Scores were not scaled: divide them by the square root of width // heads.")

MergesWithoutTransposing = mistake.edited("mixed.transpose(1, 2).flatten(2)", "mixed.reshape(x.shape)",
    "The heads were merged with a reshape alone, which mixes positions: move the axis of heads behind the positions first.")

SplitsWithoutTransposing = mistake.edited(
    "part.unflatten(-1, (self.heads, -1)).transpose(1, 2)",
    "part.reshape(x.shape[0], self.heads, x.shape[1], -1)",
    "x was reshaped directly to (batch, heads, time, ...), which mixes positions and heads: split the last axis, then "
    "transpose.")

ForgetsTheProjection = mistake.edited(
    "return self.out(mixed.transpose(1, 2).flatten(2)), (k, v)",
    "return mixed.transpose(1, 2).flatten(2), (k, v)",
    "The merged heads were returned as they are: apply self.out.")

WritesIntoTheCache = mistake.edited(
    "return self.out(mixed.transpose(1, 2).flatten(2)), (k, v)",
    "if cache is not None:\n    cache[0].zero_()\nreturn self.out(mixed.transpose(1, 2).flatten(2)), (k, v)",
    "The call wrote into the cache that was passed in, so it can't be used again for another continuation: leave it as it "
    "is.",
    about="an_old_cache_stays")

JoinsTheHeads = mistake.edited(
    "torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)",
    "torch.cat([cache[0], k], dim=1), torch.cat([cache[1], v], dim=1)",
    "The cache was joined with the new keys and values along axis 1, the heads: positions are axis 2.",
)

HidesThePositionItself = mistake.edited(
    "tril(total - new)",
    "tril(total - new - 1)",
    "A position doesn't see itself: the diagonal of the causal mask must be True.",
)

SeesOnlyLaterPositions = mistake.edited(
    "tril(total - new)",
    "triu(total - new)",
    "The causal mask is True at later positions: it must be True at earlier ones and at the position itself.",
)

CachesPositionsBeforeHeads = mistake.edited(
    """
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
    """,
    """
    if cache is not None:
        k, v = (torch.cat([old.transpose(1, 2), t], dim=2) for old, t in zip(cache, (k, v), strict=True))
    """,
    "The cache has the shape (batch, positions, heads, ...): the heads come before the positions.",
    also=[("flatten(2)), (k, v)", "flatten(2)), (k.transpose(1, 2), v.transpose(1, 2))")],
    about="the_cache_has_keys_and_values",
)


BiggerMask = alternative.edited(
    "seen = torch.ones(new, total, dtype=torch.bool, device=x.device).tril(total - new)",
    "seen = torch.tril(torch.ones(total, total, device=x.device)).bool()[-new:]",
    "The last rows of a square mask.")

ByHand = alternative.edited(
    """
    seen = torch.ones(new, total, dtype=torch.bool, device=x.device).tril(total - new)
    mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=seen)
    """,
    """
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / q.shape[-1] ** 0.5
    key, query = torch.arange(total, device=q.device), torch.arange(new, device=q.device)
    late = key[None, :] > query[:, None] + (total - new)
    mixed = torch.einsum("bhqk,bhkd->bhqd", scores.masked_fill(late, -torch.inf).softmax(-1), v)
    """,
    "Scores, a mask of -inf and softmax, with einsum.")


@alternative("CachedAttention")
class OneByOne(CachedAttention):
    """One new position after the other, none of which needs a mask."""

    def forward(self, x, cache=None):
        results = []
        for t in range(x.shape[1]):
            parts = self.qkv(x[:, t : t + 1]).chunk(3, dim=-1)
            q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in parts)
            if cache is not None:
                k, v = (torch.cat([old, new], dim=-2) for old, new in zip(cache, (k, v), strict=True))
            results.append(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
            cache = (k, v)
        return self.out(torch.cat(results, dim=1)), cache


@alternative("CachedAttention")
class ListForACache(CachedAttention):
    """A view with three in the middle, and keys and values in a list."""

    def forward(self, x, cache=None):
        batch, new, width = x.shape
        q, k, v = self.qkv(x).reshape(batch, new, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        cache = [k, v] if cache is None else [torch.cat((cache[0], k), -2), torch.cat((cache[1], v), -2)]
        bias = torch.full((new, cache[0].shape[2]), -torch.inf, device=x.device, dtype=x.dtype).triu(cache[0].shape[2] - new + 1)
        mixed = F.scaled_dot_product_attention(q, cache[0], cache[1], attn_mask=bias)
        return self.out(mixed.permute(0, 2, 1, 3).reshape(batch, new, width)), cache
