"""Attention 1 of 11: a vector for each token, and a vector for each position.

Difficulty 1 of 5, about 6 minutes.
"""

import torch


def embed_tokens(ids: torch.Tensor, token_table: torch.Tensor, position_table: torch.Tensor) -> torch.Tensor:
    """Return a vector for each token: the row of its id plus the row of its position.

    Shapes:
        ids             (batch, time)     int64, each from 0 to vocab - 1
        token_table     (vocab, width)    row i belongs to token i
        position_table  (context, width)  row t belongs to position t; context is at least time
        result          (batch, time, width), dtype and device of the tables

    Positions count from 0 in each sequence: result[b, t] == token_table[ids[b, t]] + position_table[t].

    Example:
        >>> tokens = torch.tensor([[10.0, 10.0], [20.0, 20.0], [30.0, 30.0]])
        >>> positions = torch.tensor([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
        >>> embed_tokens(torch.tensor([[2, 0]]), tokens, positions)
        tensor([[[30., 31.],
                 [12., 13.]]])

    Pitfall:
        position_table may have more rows than there are positions. Use its first `time` rows.

    For full marks:
        * gradients reach both tables
        * a sequence that is longer than position_table raises a ValueError
    """
    raise NotImplementedError("10_attention/ex01_embed_tokens: write embed_tokens()")
