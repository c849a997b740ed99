"""Functions intro 1: one step of the chain rule.

Difficulty 1 of 5, about 8 minutes.
"""

import torch

# Each function here gets grad, the gradient of a loss with respect to the result of an operation (the upstream gradient), and
# returns the gradient with respect to what went into the operation: the derivative of the operation times grad.


def square_backward(x: torch.Tensor, grad: torch.Tensor) -> torch.Tensor:
    """Return the gradient of x, where the operation was y = x * x, element by element.

    Shapes:
        x, grad  the same shape, floating point
        result   their shape

    Example:
        >>> square_backward(torch.tensor([1.0, 3.0]), torch.tensor([1.0, 10.0]))
        tensor([ 2., 60.])

    Pitfall:
        2 * x alone is the derivative. Multiply it by grad.

    Not allowed: backward and torch.autograd (then this exercise is not done). Write the rule yourself.
    """
    raise NotImplementedError("04_functions/intro1_chain_rule: write square_backward()")


def difference_backward(grad: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the gradients of a and of b, where the operation was y = a - b.

    Shapes:
        grad    the shape that a, b and y have
        result  two tensors of this shape

    Example:
        >>> difference_backward(torch.tensor([1.0, 10.0]))
        (tensor([ 1., 10.]), tensor([ -1., -10.]))
    """
    raise NotImplementedError("04_functions/intro1_chain_rule: write difference_backward()")


def sum_backward(x: torch.Tensor, grad: torch.Tensor) -> torch.Tensor:
    """Return the gradient of x, where the operation was y = x.sum().

    Shapes:
        x       any shape, floating point
        grad    (), the gradient of the sum
        result  shape of x

    Each number of x counts once in the sum, so its derivative is 1.

    Example:
        >>> sum_backward(torch.zeros(2, 2), torch.tensor(5.0))
        tensor([[5., 5.],
                [5., 5.]])
    """
    raise NotImplementedError("04_functions/intro1_chain_rule: write sum_backward()")
