"""Attention 6 of 11: a transformer block with residual connections.

Difficulty 3 of 5, about 12 minutes.
"""

import torch
from torch import nn


class Block(nn.Module):
    """Add the output of attention to x, then add the output of a small network for each position.

    Shapes:
        x       (batch, time, width)
        result  (batch, time, width), dtype and device of x

    attention is a module that maps a tensor of shape (batch, time, width) to one of the same shape. With

        norm1, norm2   nn.LayerNorm(width)
        up             nn.Linear from width to 4 * width
        down           nn.Linear from 4 * width to width

    as attributes, beside attention itself, the block computes

        y = x + attention(norm1(x))
        result = y + down(gelu(up(norm2(y))))

    Example:
        >>> block = Block(2, nn.Identity())
        >>> nothing = block.down.load_state_dict({"weight": torch.zeros(2, 8), "bias": torch.zeros(2)})
        >>> block(torch.tensor([[[1.0, 3.0]]])).round(decimals=2).tolist()
        [[[0.0, 4.0]]]

    Pitfall:
        The norms are inside the branches. On the way from x to the result that skips the branches, there is no norm.

    For full marks:
        * with a dropout above 0, each of the two branches goes through dropout before it is added, in training mode only
    """

    def __init__(self, width: int, attention: nn.Module, dropout: float = 0.0) -> None:
        """Keep attention, and create norm1, norm2, up and down."""
        super().__init__()
        raise NotImplementedError("10_attention/ex06_pre_norm_block: write Block.__init__()")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add both branches to x."""
        raise NotImplementedError("10_attention/ex06_pre_norm_block: write Block.forward()")
