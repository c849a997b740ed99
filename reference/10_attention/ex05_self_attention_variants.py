"""Known mistakes and odd-but-correct solutions for SelfAttention."""

import torch
from ex05_self_attention import SelfAttention
from torch import nn
from torch.nn import functional

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "swap_view-L23-1": "the result of a linear layer is contiguous",
    "add_detach-L26-1": "bool tensors have no history",
}

HINTS = (
    "Write down the shape after each step: qkv, the split into three, the split into heads, the swapped axes, attention, the joined heads.",
    "The last axis of qkv(x) has 3 * heads * (width // heads) features in this order, so one view cuts it into three axes. permute then "
    "brings the three to the front and the heads before time.",
    "q, k, v: view as (batch, time, 3, heads, width // heads), permuted to (3, batch, heads, time, ...). A mask of three axes gets one for "
    "the heads with unsqueeze(1). At the end: transpose(1, 2), reshape, out.",
)


class _Steps(SelfAttention):
    """The reference with its lines as methods, so that each mistake shows its line."""

    def cut(self, x):
        """Return queries, keys and values."""
        return self.qkv(x).chunk(3, dim=-1)

    def split(self, t):
        """Return (batch, heads, time, width // heads)."""
        return t.view(*t.shape[:2], self.heads, -1).transpose(1, 2)

    def widen(self, mask):
        """Return a mask that broadcasts to (batch, heads, time, time)."""
        return mask[:, None] if mask is not None and mask.dim() == 3 else mask

    def attend(self, q, k, v, mask):
        """Return (batch, heads, time, width // heads)."""
        return functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)

    def merge(self, t):
        """Return (batch, time, width)."""
        return t.transpose(1, 2).flatten(2)

    def project(self, t):
        """Return the result."""
        return self.out(t)

    def forward(self, x, mask=None):
        q, k, v = (self.split(t) for t in self.cut(x))
        return self.project(self.merge(self.attend(q, k, v, self.widen(mask))))


@mistake("SelfAttention", about="heads_attend_by_themselves", common=True)
class ViewsIntoHeads(_Steps):
    """view made (batch, heads, time, ...) at once, which mixes positions with features: cut the features first, then transpose."""

    def split(self, t):
        return t.reshape(t.shape[0], self.heads, t.shape[1], -1)


@mistake("SelfAttention", about="heads_attend_by_themselves", common=True)
class MergesWithoutTransposing(_Steps):
    """The heads were joined before their axis was moved back, which mixes positions with features: transpose heads and time first."""

    def merge(self, t):
        return t.reshape(t.shape[0], t.shape[2], -1)


@mistake("SelfAttention", about="heads_attend_by_themselves")
class HeadsInTheLastAxis(_Steps):
    """The features were cut as (width // heads, heads), so a head got every so many-th feature: the axis of the heads comes first."""

    def split(self, t):
        return t.reshape(*t.shape[:2], -1, self.heads).permute(0, 3, 1, 2)


@mistake("SelfAttention", about="heads_attend_by_themselves")
class OneHead(_Steps):
    """All features were used as a single head: cut them into heads."""

    def split(self, t):
        return t[:, None]


@mistake("SelfAttention", about="heads_attend_by_themselves")
class ScalesByTheWholeWidth(_Steps):
    """The scores were divided by the square root of the whole width: each head has width // heads features."""

    def attend(self, q, k, v, mask):
        return functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=self.qkv.in_features**-0.5)


@mistake("SelfAttention", about="heads_attend_by_themselves")
class HeadsBeforeParts(_Steps):
    """The features of qkv were cut into heads first and then into queries, keys and values: all queries come first, then all keys."""

    def forward(self, x, mask=None):
        q, k, v = self.qkv(x).view(*x.shape[:2], self.heads, -1).transpose(1, 2).chunk(3, dim=-1)
        return self.project(self.merge(self.attend(q, k, v, self.widen(mask))))


@mistake("SelfAttention", about="one_head_is_plain_attention")
class KeysFirst(_Steps):
    """Queries and keys are exchanged: qkv(x) holds the queries first, then the keys, then the values."""

    def cut(self, x):
        k, q, v = self.qkv(x).chunk(3, dim=-1)
        return q, k, v


@mistake("SelfAttention", about="one_head_is_plain_attention")
class NoProjection(_Steps):
    """out is not applied: the joined heads go through it."""

    def project(self, t):
        return t + 0 * self.out(t)


@mistake("SelfAttention", about="one_head_is_plain_attention")
class AddsTheInput(_Steps):
    """x was added to the result: the residual connection belongs to the block around this layer."""

    def forward(self, x, mask=None):
        return x + super().forward(x, mask)


@mistake("SelfAttention", about="a_mask_holds_for_all_heads", common=True)
class IgnoresTheMask(_Steps):
    """The mask has no effect: pass it on to attention."""

    def widen(self, mask):
        return None


@mistake("SelfAttention", about="a_mask_holds_for_all_heads", common=True)
class InvertsTheMask(_Steps):
    """The mask is used the other way round: True means that the query may read the key, as in scaled_dot_product_attention."""

    def widen(self, mask):
        return None if mask is None else ~super().widen(mask)


@mistake("SelfAttention", about="each_sequence_has_its_mask", common=True)
class MaskMeetsTheHeads(_Steps):
    """The batch axis of the mask met the axis of the heads: give a mask of three axes one more for the heads, with unsqueeze(1)."""

    def widen(self, mask):
        return mask


@mistake("SelfAttention", about="each_sequence_has_its_mask")
class OneMaskForAll(_Steps):
    """Each sequence was masked like the first one: a mask of three axes has one matrix for each sequence."""

    def widen(self, mask):
        return mask[0] if mask is not None and mask.dim() == 3 else mask


@mistake("SelfAttention", about="no_loop_over_heads", common=True)
class LoopsOverHeads(_Steps):
    """There is a loop over the heads: give them an axis of their own, and one call works on all of them."""

    def attend(self, q, k, v, mask):
        masks = [mask] * self.heads if mask is None or mask.dim() < 4 else [mask[:, 0]] * self.heads
        parts = zip(q.unbind(1), k.unbind(1), v.unbind(1), masks, strict=True)
        return torch.stack([functional.scaled_dot_product_attention(a, b, c, attn_mask=m) for a, b, c, m in parts], dim=1)


@mistake("SelfAttention", about="parameters_have_these_names")
class NoBias(_Steps):
    """qkv or out has no bias: leave bias= out."""

    def __init__(self, width, heads):
        super().__init__(width, heads)
        self.qkv = nn.Linear(width, 3 * width, bias=False)


@mistake("SelfAttention", about="parameters_have_these_names")
class ThreeProjections(_Steps):
    """Queries, keys and values have a layer each: make one layer qkv with 3 * width outputs."""

    def __init__(self, width, heads):
        super().__init__(width, heads)
        del self.qkv
        self.q, self.k, self.v = (nn.Linear(width, width) for _ in range(3))

    def cut(self, x):
        return self.q(x), self.k(x), self.v(x)


@mistake("SelfAttention", about="a_width_that_does_not_fit_is_refused", common=True)
class ChecksNoWidth(_Steps):
    """A width that is not a multiple of heads raised no ValueError from __init__."""

    def __init__(self, width, heads):
        super().__init__(heads, heads)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)


@alternative("SelfAttention")
class ByHand(_Steps):
    """The formula with einsum in place of PyTorch's function."""

    def attend(self, q, k, v, mask):
        scores = torch.einsum("bhid,bhjd->bhij", q, k) / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        return torch.einsum("bhij,bhjd->bhid", scores.softmax(-1), v)


@alternative("SelfAttention")
class HeadsInTheBatch(_Steps):
    """The heads become a part of the batch axis."""

    def forward(self, x, mask=None):
        batch, time, _ = x.shape
        q, k, v = (self.split(t).flatten(0, 1) for t in self.qkv(x).split(x.shape[-1], dim=2))
        if mask is not None:
            mask = mask.expand(batch, time, time).repeat_interleave(self.heads, dim=0)
        read = functional.scaled_dot_product_attention(q, k, v, mask)
        return self.out(read.unflatten(0, (batch, self.heads)).permute(0, 2, 1, 3).contiguous().view(x.shape))


@alternative("SelfAttention")
class WithWeightsOfLinear(nn.Module):
    """The layers are used through their weights; the mask becomes a float mask."""

    def __init__(self, width, heads):
        if width % heads != 0:
            raise ValueError
        super().__init__()
        self.out, self.qkv = nn.Linear(width, width, True), nn.Linear(width, width * 3)
        self.sizes = [heads, width // heads]

    def forward(self, x, mask=None):
        all_three = functional.linear(x, self.qkv.weight, self.qkv.bias).unflatten(-1, [3, *self.sizes]).movedim(3, 1)
        q, k, v = all_three.unbind(3)
        bias = None
        if mask is not None:
            bias = torch.zeros(mask.shape, dtype=x.dtype, device=x.device).masked_fill_(mask.logical_not(), -torch.inf)
            bias = bias if mask.ndim == 2 else bias.unsqueeze(1)
        read = functional.scaled_dot_product_attention(q, k, v, bias)
        return functional.linear(read.movedim(1, 2).flatten(-2), self.out.weight, self.out.bias)


reshapes_both_ways = mistake.edited(
    "parts = self.qkv(x).view(batch, time, 3, self.heads, width // self.heads)",
    "parts = self.qkv(x).chunk(3, dim=-1)",
    "reshape never swaps axes: cut the features into (batch, time, heads, -1), then swap the axes with transpose(1, 2). Swap them back before you join the heads.",
    also=[
        ("q, k, v = parts.permute(2, 0, 3, 1, 4)", "q, k, v = (part.reshape(batch, self.heads, time, -1) for part in parts)"),
        ("read.transpose(1, 2).reshape(batch, time, width)", "read.reshape(batch, time, width)"),
    ],
    about="heads_attend_by_themselves", common=True)
