"""Attention 3 of 11: which keys may a query read?

Difficulty 3 of 5, about 12 minutes.
"""

import torch


def attention_mask(real: torch.Tensor, causal: bool) -> torch.Tensor:
    """Return a mask that is True where a query may read a key.

    Shapes:
        real    (batch, time)        bool, False at padding
        result  (batch, time, time)  bool, on the device of real

    result[b, i, j] belongs to query i and key j of sequence b. It is True if key j is real and, with causal=True,
    also j <= i: no token reads a later one. A query that is padding itself is treated like any other.

    Example:
        >>> attention_mask(torch.tensor([[True, True, False]]), causal=True)
        tensor([[[ True, False, False],
                 [ True,  True, False],
                 [ True,  True, False]]])

    Pitfall:
        Padding hides a key, so it makes a column of the mask False, not a row.
    """
    raise NotImplementedError("10_attention/ex03_attention_masks: write attention_mask()")


def masked_softmax(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Return the softmax of each row of scores over those keys where the mask is True.

    Shapes:
        scores  (batch, queries, keys)   floating point
        mask    (batch, queries, keys)   bool
        result  (batch, queries, keys)   dtype of scores

    Where the mask is False the result is 0. The other weights of a row sum to 1. A row whose mask is all False is all
    zeros, without nan.

    Example:
        >>> masked_softmax(torch.tensor([[[1.0, 5.0, 1.0]]]), torch.tensor([[[True, False, True]]]))
        tensor([[[0.5000, 0.0000, 0.5000]]])

    Pitfall:
        The softmax of a row of -inf is nan, and one nan is enough to make every weight of a model nan.

    For full marks:
        * scores may have more axes, and the mask broadcasts to scores: (queries, keys) or (batch, 1, 1, keys)
        * the gradient of scores has no nan, even in rows whose mask is all False
        * all scores may be very low, such as -20000: masked keys still get the weight 0
    """
    raise NotImplementedError("10_attention/ex03_attention_masks: write masked_softmax()")
