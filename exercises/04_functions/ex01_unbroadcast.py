"""Functions 1 of 9: undo broadcasting, so that a gradient fits the tensor it belongs to.

Difficulty 2 of 5, about 10 minutes.
"""

import torch


def unbroadcast(grad: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    """Return grad summed to the given shape, over every axis that broadcasting expanded.

    In `x * y` broadcasting may use one element of x many times. The gradient arrives in the shape of the
    result, and the gradient of one element is the sum over all its uses.

    Shapes:
        grad    any shape, float32 or float64
        shape   a tuple of ints (or torch.Size) that broadcasts to grad.shape
        result  exactly `shape`, dtype and device of grad

    Broadcasting expands in two ways, and both may happen at once, or neither: it adds axes on the left that
    `shape` does not have, and it repeats axes that have size 1 in `shape`.

    Example:
        >>> unbroadcast(torch.ones(3, 2), (2,))
        tensor([3., 3.])
        >>> unbroadcast(torch.ones(3, 2), (3, 1))
        tensor([[2.],
                [2.],
                [2.]])

    Pitfall:
        Summing only the axes on the left: (3, 2) to (3, 1) adds no axis at all, and still has to be summed.

    Tensor.sum_to_size does all of this and is allowed; you learn more if you write it with sum and reshape.

    For full marks:
        * shape may be (): the result is 0-dim.
        * Sizes may be 1 or 0. An axis of size 1 that was expanded to size 0 gets gradient 0: the sum of
          nothing.
        * grad may be transposed or expanded.
        * The result can be differentiated: if grad requires a gradient, so does the result.
    """
    raise NotImplementedError("04_functions/ex01_unbroadcast: write unbroadcast()")
