"""Known mistakes and odd-but-correct solutions for CachedAttention."""

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


class Steps(CachedAttention):
    """The right forward in steps that a subclass can replace."""

    def split(self, x):
        return [part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, dim=-1)]

    def join(self, old, new):
        return torch.cat([old, new], dim=2)

    def seen(self, new, total, device):
        return torch.ones(new, total, dtype=torch.bool, device=device).tril(total - new)

    def mix(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=self.seen(q.shape[2], k.shape[2], q.device))

    def merge(self, mixed):
        return mixed.transpose(1, 2).flatten(2)

    def kept(self, q, k, v, new):
        return k, v

    def forward(self, x, cache=None):
        q, k, v = new = self.split(x)
        if cache is not None:
            k, v = self.join(cache[0], k), self.join(cache[1], v)
        return self.out(self.merge(self.mix(q, k, v))), self.kept(q, k, v, new)


@mistake("CachedAttention", common=True)
class CausalFromTheFirstKey(Steps):
    """is_causal=True lines the mask up with the first key, so new positions miss most of the cache: build a mask whose diagonal is moved by the
    length of the cache."""

    def mix(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)


@mistake("CachedAttention", about="pieces_agree_with_the_whole", common=True)
class NoMaskWithACache(Steps):
    """With a cache there was no mask, so several new positions saw each other's future. Only a single new position needs none."""

    def seen(self, new, total, device):
        return super().seen(new, total, device) | (total > new)


@mistake("CachedAttention", common=True)
class NoMaskAtAll(Steps):
    """Each position saw the positions after it: mask them."""

    def seen(self, new, total, device):
        return torch.ones(new, total, dtype=torch.bool, device=device)


@mistake("CachedAttention", common=True)
class KeepsTheNewAlone(Steps):
    """The returned cache has the new positions alone: return the concatenated keys and values."""

    def kept(self, q, k, v, new):
        return new[1], new[2]


@mistake("CachedAttention")
class IgnoresTheCache(Steps):
    """The cache has no effect: put the new keys and values behind the cached ones."""

    def forward(self, x, cache=None):
        return super().forward(x)


@mistake("CachedAttention")
class ReturnsTheOldCache(Steps):
    """The cache doesn't grow after the first call: return the concatenated keys and values."""

    def forward(self, x, cache=None):
        result, grown = super().forward(x, cache)
        return result, cache or grown


@mistake("CachedAttention")
class NewOnesFirst(Steps):
    """The new keys and values were put before the cached ones: order is time, the new ones come last."""

    def join(self, old, new):
        return torch.cat([new, old], dim=2)


@mistake("CachedAttention")
class KeepsQueries(Steps):
    """Queries were kept in place of keys: a query is used once, keys and values are needed again."""

    def kept(self, q, k, v, new):
        return torch.cat([k[:, :, : k.shape[2] - q.shape[2]], q], dim=2), v


@mistake("CachedAttention")
class ForgetsOldValues(Steps):
    """The values of the cached positions are wrong: keep the values beside the keys, not the keys twice."""

    def kept(self, q, k, v, new):
        return k, k


@mistake("CachedAttention")
class ScalesByTheWholeWidth(Steps):
    """Scores were divided by the square root of width: each head has only width // heads numbers."""

    def mix(self, q, k, v):
        mask = self.seen(q.shape[2], k.shape[2], q.device)
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=(self.heads * q.shape[3]) ** -0.5)


@mistake("CachedAttention")
class DoesNotScale(Steps):
    """Scores were not scaled: divide them by the square root of width // heads."""

    def mix(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=self.seen(q.shape[2], k.shape[2], q.device), scale=1.0)


@mistake("CachedAttention")
class MergesWithoutTransposing(Steps):
    """The heads were merged with a reshape alone, which mixes positions: move the axis of heads behind the positions first."""

    def merge(self, mixed):
        return mixed.reshape(mixed.shape[0], mixed.shape[2], -1)


@mistake("CachedAttention")
class SplitsWithoutTransposing(Steps):
    """x was reshaped directly to (batch, heads, time, ...), which mixes positions and heads: split the last axis, then transpose."""

    def split(self, x):
        batch, time, width = x.shape
        return [part.reshape(batch, self.heads, time, width // self.heads) for part in self.qkv(x).chunk(3, dim=-1)]


@mistake("CachedAttention")
class ForgetsTheProjection(Steps):
    """The merged heads were returned as they are: apply self.out."""

    def forward(self, x, cache=None):
        q, k, v = new = self.split(x)
        if cache is not None:
            k, v = self.join(cache[0], k), self.join(cache[1], v)
        return self.merge(self.mix(q, k, v)), self.kept(q, k, v, new)


@mistake("CachedAttention", about="an_old_cache_stays")
class WritesIntoTheCache(Steps):
    """The call wrote into the cache that was passed in, so it can't be used again for another continuation: leave it as it is."""

    def forward(self, x, cache=None):
        result = super().forward(x, cache)
        if cache is not None:
            cache[0].zero_()
        return result


@alternative("CachedAttention")
class BiggerMask(Steps):
    """The last rows of a square mask."""

    def seen(self, new, total, device):
        return torch.tril(torch.ones(total, total, device=device)).bool()[-new:]


@alternative("CachedAttention")
class ByHand(Steps):
    """Scores, a mask of -inf and softmax, with einsum."""

    def mix(self, q, k, v):
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / q.shape[-1] ** 0.5
        key, query = torch.arange(k.shape[2], device=q.device), torch.arange(q.shape[2], device=q.device)
        late = key[None, :] > query[:, None] + (k.shape[2] - q.shape[2])
        return torch.einsum("bhqk,bhkd->bhqd", scores.masked_fill(late, -torch.inf).softmax(-1), v)


@alternative("CachedAttention")
class OneByOne(Steps):
    """One new position after the other, none of which needs a mask."""

    def forward(self, x, cache=None):
        results = []
        for t in range(x.shape[1]):
            q, k, v = self.split(x[:, t : t + 1])
            if cache is not None:
                k, v = (torch.cat([old, new], dim=-2) for old, new in zip(cache, (k, v), strict=True))
            results.append(self.merge(F.scaled_dot_product_attention(q, k, v)))
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
