"""An axis of size 1 that was expanded to 0 is not summed (the test is have > 1), so the result has size 0 there instead of 1 with gradient 0."""
import torch


def unbroadcast(grad: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    """Return grad summed to the given shape, over every axis that broadcasting expanded.

    In `x * y` broadcasting may use one element of x many times. The gradient arrives in the shape of the
    result, and the gradient of one element is the sum over all its uses.

    Shapes:
        grad    any shape, float32 or float64
        shape   a tuple of ints (or torch.Size) that broadcasts to grad.shape
        result  exactly `shape`, dtype and device of grad

    Broadcasting stretches in two ways, and both may happen at once, or neither: it adds axes on the left that
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
    while grad.dim() > len(shape):
        grad = grad.sum(0)
    for axis, (have, want) in enumerate(zip(grad.shape, shape)):
        if want == 1 and have > 1:
            grad = grad.sum(axis, keepdim=True)
    return grad
