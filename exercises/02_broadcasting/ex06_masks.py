"""Broadcasting 6 of 8: masks by comparing positions.

Difficulty 2 of 5, about 10 minutes.
"""

import torch


def one_hot(labels: torch.Tensor, classes: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return a 1 at the position of each label and 0 elsewhere, by comparing positions.

    Shapes:
        labels  any shape, int64, every value from 0 to classes - 1
        result  (*labels.shape, classes), of the given dtype (float, integer or bool)

    classes is not always the largest label plus 1.

    Pitfall:
        labels and the list of classes must be on different axes, or label n is compared with class n only.

    Not allowed: torch.nn.functional.one_hot (then that part is not done).

    For full marks:
        * labels may be int32
        * the result is on the device of labels
        * no Python loop over the elements
    """
    raise NotImplementedError("02_broadcasting/ex06_masks: write one_hot()")


def causal_mask(T: int, device: torch.device | str | None = None) -> torch.Tensor:
    """Return which keys each query may look at: itself and everything before it.

    Shapes:
        result  (T, T), axes (query, key), bool, True where key <= query; on the given device

    Example:
        >>> causal_mask(3)
        tensor([[ True, False, False],
                [ True,  True, False],
                [ True,  True,  True]])

    Pitfall:
        The diagonal belongs to the mask: without it the first query may look at nothing.

    For full marks:
        * without a device the mask is on PyTorch's default device
        * no Python loop over the elements
    """
    raise NotImplementedError("02_broadcasting/ex06_masks: write causal_mask()")
