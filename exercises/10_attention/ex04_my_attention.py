"""Attention 4 of 11: PyTorch's own function, with its arguments and its meaning of masks.

Difficulty 3 of 5, about 12 minutes.
"""

import torch


def my_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
) -> torch.Tensor:
    """Return what torch.nn.functional.scaled_dot_product_attention returns for the same arguments.

    Shapes:
        query      (batch, heads, queries, width)
        key        (batch, heads, keys, width)
        value      (batch, heads, keys, features)
        attn_mask  broadcasts to (batch, heads, queries, keys)
        result     (batch, heads, queries, features), dtype and device of query

    attn_mask is bool, True where a query may read a key, or has the dtype of query and is added to the scaled scores.
    Each query has at least one key that it may read. With is_causal=True query i reads only the keys 0 to i, even if
    there are more or fewer keys than queries. scale multiplies the dot products; None: 1 / sqrt(width).

    Example:
        >>> x = torch.tensor([[[[0.0], [0.0]]]])
        >>> my_attention(x, x, torch.tensor([[[[1.0], [3.0]]]]), is_causal=True)
        tensor([[[[1.],
                  [2.]]]])

    Pitfall:
        A bool mask that is added to the scores counts as 0 and 1, and hides nothing.

    Not allowed: torch.nn.functional.scaled_dot_product_attention and nn.MultiheadAttention (then this
    exercise is not done). Write the formula yourself.

    For full marks:
        * gradients reach query, key and value, with each kind of mask
        * scale=0.0 is a scale like any other
        * dropout_p sets each weight to 0 with this probability, always, and divides the other weights by 1 - dropout_p.
          There is no eval mode: the caller passes 0.0.
        * an attn_mask together with is_causal=True raises a ValueError or a RuntimeError. (PyTorch's function raises a
          RuntimeError or applies both masks, depending on the kernel.)
    """
    raise NotImplementedError("10_attention/ex04_my_attention: write my_attention()")


def to_attn_mask(key_padding_mask: torch.Tensor) -> torch.Tensor:
    """Return the attn_mask for scaled_dot_product_attention that hides the same keys.

    Shapes:
        key_padding_mask  (batch, keys)        bool, True at padding, as nn.MultiheadAttention expects it
        result            (batch, 1, 1, keys)  bool, True at the keys that may be read, on the device of key_padding_mask

    Example:
        >>> to_attn_mask(torch.tensor([[False, False, True]]))
        tensor([[[[ True,  True, False]]]])

    Pitfall:
        The two masks of PyTorch have opposite meanings.
    """
    raise NotImplementedError("10_attention/ex04_my_attention: write to_attn_mask()")
