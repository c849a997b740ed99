"""Broadcasting 8 of 8: a loss that refuses to broadcast.

Difficulty 2 of 5, about 5 minutes. Fast track.
"""

import torch


def safe_mse(pred: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Return the mean squared error of two tensors; raise a ValueError unless they have the same shape.

    Shapes:
        pred    any shape, floating point
        target  exactly the shape of pred
        result  (), the average of (pred - target) squared over all elements, attached to the graph

    The ValueError is also raised where PyTorch could broadcast: (5, 1) and (5,), (1,) and (), (1, 3) and (2, 3).

    Example:
        >>> safe_mse(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
        tensor(2.)

    Pitfall:
        (5, 1) minus (5,) is a (5, 5) matrix of differences. The mean of its squares is a number like any
        other, so nothing looks wrong, and the model learns to predict one constant.

    For full marks:
        * the error's message contains both shapes written as tuples, such as "(5, 1)" and "(5,)"
        * target may be an integer tensor: the result has the dtype of pred
        * if the float dtypes differ, the result has the wider one, like pred - target
        * without elements the result is nan, like that of torch.nn.functional.mse_loss
    """
    raise NotImplementedError("02_broadcasting/ex08_safe_mse: write safe_mse()")
