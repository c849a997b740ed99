"""A mask of shape (batch, time, time) is handed on without an axis for the heads: it is aligned with the heads, not the batch, which raises an error, or silently uses the wrong masks if batch equals heads."""
import torch
from torch import nn


class SelfAttention(nn.Module):
    """Let each position of a sequence read the others, with several heads side by side.

    Shapes:
        x       (batch, time, width)
        mask    (time, time) or (batch, time, time), bool, True where a query may read a key; None: all keys
        result  (batch, time, width)

    qkv is an nn.Linear from width to 3 * width, out an nn.Linear from width to width, both with bias.

    1. qkv(x) holds the queries, then the keys, then the values: width features each.
    2. Head h takes the h-th block of width // heads neighboring features of each.
    3. Each head attends by itself: softmax of the scores, divided by the square root of width // heads.
    4. The results of the heads stand side by side again, in their order, and go through out.

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

    Not allowed: nn.MultiheadAttention; build it from linear layers.

    For full marks:
        * a width that is not a multiple of heads raises a ValueError from __init__
    """

    def __init__(self, width: int, heads: int) -> None:
        """Create qkv and out."""
        super().__init__()
        if width % heads:
            raise ValueError(f"width {width} is not a multiple of heads {heads}")
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """Attend with all heads, and project the result."""
        B, T, C = x.shape
        q, k, v = (self._to_heads(part) for part in self.qkv(x).chunk(3, dim=-1))
        y = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(y.transpose(1, 2).reshape(B, T, C))

    def _to_heads(self, t):
        B, T, C = t.shape
        return t.view(B, T, self.heads, C // self.heads).transpose(1, 2)
