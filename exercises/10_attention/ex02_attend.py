"""Attention 2 of 11: scaled dot products decide what each query reads.

Difficulty 2 of 5, about 10 minutes.
"""

import torch


def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return for each query a weighted mean of the values, and the weights.

    Shapes:
        q        (batch, queries, width)
        k        (batch, keys, width)
        v        (batch, keys, features)
        result   (batch, queries, features), dtype and device of q
        weights  (batch, queries, keys), dtype and device of q

    The score of a query and a key is their dot product, divided by the square root of width. Softmax over the
    keys turns the scores into weights: those of one query sum to 1. The result is the mean of the values with
    these weights.

    Example:
        >>> q = torch.tensor([[[0.0], [2.0]]])
        >>> k = torch.tensor([[[0.0], [100.0]]])
        >>> v = torch.tensor([[[10.0, 1.0], [20.0, 3.0]]])
        >>> result, weights = attend(q, k, v)
        >>> weights
        tensor([[[0.5000, 0.5000],
                 [0.0000, 1.0000]]])
        >>> result
        tensor([[[15.,  2.],
                 [20.,  3.]]])

    Pitfall:
        k.T reverses all axes of a batch. Swap only the last two: k.transpose(-2, -1).

    Not allowed: torch.nn.functional.scaled_dot_product_attention and nn.MultiheadAttention (then this
    exercise is not done). Compute the weights yourself.

    For full marks:
        * any number of axes in place of batch, or none; they are the same in q, k and v
        * large scores don't overflow
    """
    raise NotImplementedError("10_attention/ex02_attend: write attend()")
