"""Attention 5 of 11: many heads, one projection.

Difficulty 3 of 5, about 15 minutes.
"""

import torch
from torch import nn


class SelfAttention(nn.Module):
    """Let each position of a sequence read the others, with several heads side by side.

    Shapes:
        x       (batch, time, width)
        mask    (time, time) or (batch, time, time), bool, True where a query may read a key; None: all keys
        result  (batch, time, width), dtype and device of x

    qkv is an nn.Linear from width to 3 * width, out an nn.Linear from width to width, both with bias.

    1. qkv(x) holds the queries, then the keys, then the values: width features each.
    2. Head h takes the h-th block of width // heads neighboring features of each.
    3. Each head attends by itself: softmax of the scores, divided by the square root of width // heads.
    4. The results of the heads are side by side again, in their order, and go through out.

    Use no loop over heads. torch.nn.functional.scaled_dot_product_attention is allowed.

    Example:
        >>> layer = SelfAttention(6, heads=2)
        >>> [(name, tuple(p.shape)) for name, p in layer.named_parameters()]
        [('qkv.weight', (18, 6)), ('qkv.bias', (18,)), ('out.weight', (6, 6)), ('out.bias', (6,))]
        >>> layer(torch.zeros(4, 5, 6)).shape
        torch.Size([4, 5, 6])

    Pitfall:
        view never swaps two axes. Cut the features first, then move the axis of the heads before that of time, and
        move it back before you join them.

    Not allowed: nn.MultiheadAttention (then this exercise is not done). Build it from linear layers.

    For full marks:
        * a width that is not a multiple of heads raises a ValueError from __init__
    """

    def __init__(self, width: int, heads: int) -> None:
        """Create qkv and out."""
        super().__init__()
        raise NotImplementedError("10_attention/ex05_self_attention: write SelfAttention.__init__()")

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """Attend with all heads, and project the result."""
        raise NotImplementedError("10_attention/ex05_self_attention: write SelfAttention.forward()")
