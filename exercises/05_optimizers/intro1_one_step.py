"""Optimizers intro 1: predict, measure, step.

Difficulty 1 of 5, about 6 minutes.
"""

import torch


def predictions(w: torch.Tensor, b: torch.Tensor, X: torch.Tensor) -> torch.Tensor:
    """Return what the line w * X + b predicts.

    Shapes:
        w, b    (), floating point
        X       (n, 1)
        result  (n, 1)

    Example:
        >>> predictions(torch.tensor(2.0), torch.tensor(1.0), torch.tensor([[0.0], [3.0]]))
        tensor([[1.],
                [7.]])
    """
    raise NotImplementedError("05_optimizers/intro1_one_step: write predictions()")


def mean_squared_error(predicted: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Return the mean of the squared differences.

    Shapes:
        predicted, y  (n, 1), floating point, n at least 1
        result        ()

    Example:
        >>> mean_squared_error(torch.tensor([[1.0], [7.0]]), torch.tensor([[1.0], [5.0]]))
        tensor(2.)

    Pitfall:
        The square comes before the mean. The mean of the differences can be 0 while each prediction is wrong.
    """
    raise NotImplementedError("05_optimizers/intro1_one_step: write mean_squared_error()")


def after_one_step(p: torch.Tensor, grad: torch.Tensor, lr: float) -> torch.Tensor:
    """Return where gradient descent moves p: against its gradient, by lr times the gradient. p is not changed.

    Shapes:
        p, grad  the same shape, floating point
        result   their shape

    Example:
        >>> after_one_step(torch.tensor([1.0, 5.0]), torch.tensor([10.0, -10.0]), lr=0.5)
        tensor([-4., 10.])
    """
    raise NotImplementedError("05_optimizers/intro1_one_step: write after_one_step()")
