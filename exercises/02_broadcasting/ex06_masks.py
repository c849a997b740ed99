"""Broadcasting 6 of 8: masks by comparing positions.

Difficulty 2 of 5, about 10 minutes.
"""

import torch


def one_hot(labels: torch.Tensor, classes: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return a 1 in the place of each label and 0 in all others.

    Shapes:
        labels  any shape, also () and with axes of size 0; int64 or int32, every value from 0 to classes - 1
        result  (*labels.shape, classes), the given dtype, on the device of labels

    result[..., k] is 1 where labels is k. classes is 1 or more; it is not always the largest label plus 1.
    dtype may be any (float, integer, bool). labels may be transposed or sliced and is not changed.

    Example:
        >>> one_hot(torch.tensor([2, 0]), 3)
        tensor([[0., 0., 1.],
                [1., 0., 0.]])

    Pitfall:
        labels and the list of classes must stand on different axes, or label n is compared with class n only.
    """
    raise NotImplementedError("02_broadcasting/ex06_masks: write one_hot()")


def causal_mask(T: int, device: torch.device | str | None = None) -> torch.Tensor:
    """Return which keys each query may look at: itself and everything before it.

    Shapes:
        result  (T, T), axes (query, key), bool, True where key <= query

    T is 0 or more. The result is made on the given device; None means PyTorch's default device.

    Not allowed in either function: a Python loop over the elements, and torch.nn.functional.one_hot. A
    comparison of positions needs nothing else, and works for every mask that you can put into words.

    Example:
        >>> causal_mask(3)
        tensor([[ True, False, False],
                [ True,  True, False],
                [ True,  True,  True]])

    Pitfall:
        The diagonal belongs to the mask: without it the first query may look at nothing.
    """
    raise NotImplementedError("02_broadcasting/ex06_masks: write causal_mask()")
