"""Broadcasting 7 of 8: softmax along any axis, for large numbers too.

Difficulty 3 of 5, about 10 minutes.
"""

import torch


def softmax(x: torch.Tensor, dim: int) -> torch.Tensor:
    """Return exp(x) divided by the sum of exp(x) along one axis.

    Shapes:
        x       one axis or more; float16, float32 or float64
        dim     one axis of x, counted from the front or (negative) from the back; not of size 0
        result  shape, dtype and device of x; sums to 1 along dim

    Edge cases:
        x may hold very large and very small numbers (10000, -10000): exp of them is inf or 0, and the answer
        must be right all the same. It must be right for each slice along dim by itself: one slice may lie
        around 10000 and the next around -10000. An entry -inf gets weight 0; a slice in which every entry is
        -inf gives nan, as PyTorch's own softmax does. An axis of size 1 along dim gives 1. x may be
        transposed, sliced or expanded and is not changed. Gradients flow to x, and are graded where every
        number in x is finite.

    Example:
        >>> softmax(torch.tensor([[1000.0, 1000.0], [0.0, -1000.0]]), dim=1)
        tensor([[0.5000, 0.5000],
                [1.0000, 0.0000]])

    Pitfall:
        A maximum or a sum along an axis removes it. Keep it, or the next step lines up with another axis.

    Not allowed: torch.softmax, torch.log_softmax, torch.logsumexp, torch.nn.functional.softmin and all their
    relatives in torch.nn, as methods and in torch.special. exp, max, amax, sum and log are what you need.
    """
    raise NotImplementedError("02_broadcasting/ex07_softmax: write softmax()")
