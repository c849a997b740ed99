"""Attention bonus 2: several query heads share the keys and values of one head.

Difficulty 3 of 5, about 10 minutes.
"""

import torch


def grouped_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, is_causal: bool = False) -> torch.Tensor:
    """Return the attention of grouped query heads.

    Shapes:
        q       (batch, heads, time, width)
        k       (batch, groups, keys, width)     heads is a multiple of groups
        v       (batch, groups, keys, features)
        result  (batch, heads, time, features), dtype and device of q

    The first heads / groups query heads use head 0 of k and v, the next ones head 1, and so on. Each query head is ordinary
    attention: scores divided by the square root of width, softmax over the keys. With is_causal=True there are as many
    keys as queries, and query t sees the keys 0 to t.

    Example:
        >>> q, k = torch.zeros(1, 4, 1, 2), torch.zeros(1, 2, 1, 2)
        >>> grouped_attention(q, k, torch.tensor([[[[10.0]], [[20.0]]]])).flatten()
        tensor([10., 10., 20., 20.])

    Pitfall:
        k.repeat(1, 2, 1, 1) gives the heads 0, 1, 0, 1, not 0, 0, 1, 1.

    Not allowed: torch.nn.functional.scaled_dot_product_attention and nn.MultiheadAttention (then this
    exercise is not done). Write it yourself.

    For full marks:
        * heads that is not a multiple of groups raises a ValueError
    """
    raise NotImplementedError("10_attention/bonus2_grouped_heads: write grouped_attention()")
