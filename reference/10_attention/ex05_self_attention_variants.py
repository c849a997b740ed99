"""Known mistakes and unusual but correct solutions for SelfAttention."""

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


ViewsIntoHeads = mistake.edited(
    """
    parts = self.qkv(x).view(batch, time, 3, self.heads, width // self.heads)
    q, k, v = parts.permute(2, 0, 3, 1, 4)
    """,
    "q, k, v = (t.reshape(batch, self.heads, time, -1) for t in self.qkv(x).chunk(3, dim=-1))",
    "You reshape straight to (batch, heads, time, ...), which mixes positions with features: cut the last axis first, then "
    "transpose.",
    about="heads_attend_by_themselves", common=True,
    pitfall="view never swaps two axes")

MergesWithoutTransposing = mistake.edited("read.transpose(1, 2).reshape", "read.reshape",
    "The heads were joined before their axis was moved back, which mixes positions with features: transpose heads and "
    "time first.",
    about="heads_attend_by_themselves", common=True,
    pitfall="move it back before you join them")

HeadsInTheLastAxis = mistake.edited("3, self.heads, width // self.heads)", "3, width // self.heads, self.heads)",
    "Each head got every heads-th feature: it must get neighboring features, so cut them into (heads, width // heads).",
    also=[("permute(2, 0, 3, 1, 4)", "permute(2, 0, 4, 1, 3)")], about="heads_attend_by_themselves")

OneHead = mistake.edited(
    """
    parts = self.qkv(x).view(batch, time, 3, self.heads, width // self.heads)
    q, k, v = parts.permute(2, 0, 3, 1, 4)
    """,
    "q, k, v = (t[:, None] for t in self.qkv(x).chunk(3, dim=-1))",
    "All features were used as a single head: cut them into heads.",
    about="heads_attend_by_themselves")

ScalesByTheWholeWidth = mistake.edited("attn_mask=mask)", "attn_mask=mask, scale=width**-0.5)",
    "The scores were divided by the square root of the whole width: each head has width // heads features.",
    about="heads_attend_by_themselves")

HeadsBeforeParts = mistake.edited(
    """
    parts = self.qkv(x).view(batch, time, 3, self.heads, width // self.heads)
    q, k, v = parts.permute(2, 0, 3, 1, 4)
    """,
    "q, k, v = self.qkv(x).view(batch, time, self.heads, -1).transpose(1, 2).chunk(3, dim=-1)",
    "The features of qkv were cut into heads first and then into queries, keys and values: all queries come first, then "
    "all keys.",
    about="heads_attend_by_themselves")

KeysFirst = mistake.edited("q, k, v = parts", "k, q, v = parts",
    "Queries and keys are exchanged: qkv(x) holds the queries first, then the keys, then the values.",
    about="one_head_is_plain_attention")

NoProjection = mistake.edited(
    "return self.out(read.transpose(1, 2).reshape(batch, time, width))",
    "read = read.transpose(1, 2).reshape(batch, time, width)\nreturn read + 0 * self.out(read)",
    "out is not applied: the joined heads go through it.",
    about="one_head_is_plain_attention")

AddsTheInput = mistake.edited("return self.out(", "return x + self.out(",
    "x was added to the result: the residual connection belongs to the block around this layer.",
    about="one_head_is_plain_attention")

IgnoresTheMask = mistake.edited(", attn_mask=mask", "",
    "The mask has no effect: pass it on to attention.",
    about="a_mask_holds_for_all_heads", common=True)

InvertsTheMask = mistake.edited("attn_mask=mask", "attn_mask=None if mask is None else ~mask",
    "The mask is used the wrong way around: True means that the query may read the key, as in scaled_dot_product_attention.",
    about="a_mask_holds_for_all_heads", common=True)

MaskMeetsTheHeads = mistake.edited("mask = mask.unsqueeze(1)", "pass",
    "The batch axis of the mask met the axis of the heads: give a mask of three axes one more for the heads, with "
    "unsqueeze(1).",
    about="each_sequence_has_its_mask", common=True)

OneMaskForAll = mistake.edited("mask = mask.unsqueeze(1)", "mask = mask[0]",
    "Each sequence was masked like the first one: a mask of three axes has one matrix for each sequence.",
    about="each_sequence_has_its_mask")

LoopsOverHeads = mistake.edited(
    "read = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)",
    """
    masks = [mask if mask is None or mask.dim() < 4 else mask[:, 0]] * self.heads
    parts = zip(q.unbind(1), k.unbind(1), v.unbind(1), masks, strict=True)
    read = torch.stack([functional.scaled_dot_product_attention(a, b, c, attn_mask=m) for a, b, c, m in parts], dim=1)
    """,
    "There is a loop over the heads: give them an axis of their own, and one call works on all of them.",
    about="no_loop_over_heads", common=True)

NoBias = mistake.edited("nn.Linear(width, 3 * width)", "nn.Linear(width, 3 * width, bias=False)",
    "qkv or out has no bias: leave bias= out.",
    about="parameters_have_these_names")

ThreeProjections = mistake.edited(
    "self.qkv = nn.Linear(width, 3 * width)",
    "self.q, self.k, self.v = (nn.Linear(width, width) for _ in range(3))",
    "Queries, keys and values have a layer each: make one layer qkv with 3 * width outputs.",
    also=[("self.qkv(x)", "torch.cat([self.q(x), self.k(x), self.v(x)], dim=-1)")], about="parameters_have_these_names")

ChecksNoWidth = mistake.edited("if width % heads:", "if False:",
    "A width that is not a multiple of heads raised no ValueError from __init__.",
    about="a_width_that_does_not_fit_is_refused", common=True)

AssertsTheWidth = mistake.edited(
    'raise ValueError(f"a width of {width} is not a multiple of {heads} heads")',
    "raise AssertionError(width)",
    "A width that is not a multiple of heads raised AssertionError, as an assert does: raise ValueError.",
    about="a_width_that_does_not_fit_is_refused",
)

CausalWithoutAMask = mistake.edited(
    "attn_mask=mask",
    "attn_mask=mask, is_causal=mask is None",
    "Without a mask later positions were hidden: None means that all keys are read.",
)

DoesNotScale = mistake.edited(
    "attn_mask=mask)",
    "attn_mask=mask, scale=1.0)",
    "The scores were not divided by the square root of width // heads.",
)

NoBiasAtAll = mistake.edited(
    "nn.Linear(width, 3 * width)",
    "nn.Linear(width, 3 * width, bias=False)",
    "qkv and out have no bias: leave bias= out.",
    also=[("nn.Linear(width, width)", "nn.Linear(width, width, bias=False)")],
    about="parameters_have_these_names",
)


ByHand = alternative.edited(
    "read = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)",
    """
    scores = torch.einsum("bhid,bhjd->bhij", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    read = torch.einsum("bhij,bhjd->bhid", scores.softmax(-1), v)
    """,
    "The formula with einsum in place of PyTorch's function.")


@alternative("SelfAttention")
class HeadsInTheBatch(SelfAttention):
    """The heads become a part of the batch axis."""

    def forward(self, x, mask=None):
        batch, time, _ = x.shape
        parts = (t.view(batch, time, self.heads, -1).transpose(1, 2) for t in self.qkv(x).split(x.shape[-1], dim=2))
        q, k, v = (t.flatten(0, 1) for t in parts)
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


@mistake("SelfAttention", forbidden="nn.MultiheadAttention")
class IsBuiltOnAModule(nn.Module):
    """You used nn.MultiheadAttention: build it from the linear layers qkv and out."""

    def __init__(self, width, heads):
        super().__init__()
        if width % heads:
            raise ValueError("the width is not a multiple of heads")
        self.heads = heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x, mask=None):
        layer = nn.MultiheadAttention(x.shape[2], self.heads, batch_first=True, dtype=x.dtype, device=x.device)
        layer.in_proj_weight.data, layer.in_proj_bias.data = self.qkv.weight.data, self.qkv.bias.data
        layer.out_proj.weight.data, layer.out_proj.bias.data = self.out.weight.data, self.out.bias.data
        if mask is not None:
            mask = ~(mask.repeat_interleave(self.heads, 0) if mask.dim() == 3 else mask)
        return layer(x, x, x, attn_mask=mask, need_weights=False)[0]
