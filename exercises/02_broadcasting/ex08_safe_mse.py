"""Broadcasting 8 of 8: a loss that refuses to broadcast.

Difficulty 2 of 5, about 5 minutes. Fast track.
"""

import torch


def safe_mse(pred: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Return the mean squared error of two tensors that have the same shape.

    Shapes:
        pred    any shape, also (); floating point
        target  exactly the shape of pred; floating point or integer
        result  () on their device: the average of (pred - target) squared over all elements, attached to the
                graph

    dtype of the result: that of pred - target. If target is an integer tensor, this is the dtype of pred.

    Raises:
        ValueError if the shapes differ in any way, also where PyTorch could broadcast them: (5, 1) and (5,),
        (1,) and (), (1, 3) and (2, 3). The message contains both shapes written as tuples, such as "(5, 1)"
        and "(5,)".

    Edge cases:
        Without elements the result is nan, as for torch.nn.functional.mse_loss. The tensors may be transposed,
        sliced or expanded and are not changed. Gradients flow to pred, and to target if it requires grad.

    Example:
        >>> safe_mse(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
        tensor(2.)

    Pitfall:
        (5, 1) minus (5,) is a (5, 5) table of differences. The mean of its squares is a number like any
        other, so nothing looks wrong, and the model learns to predict one constant.
    """
    raise NotImplementedError("02_broadcasting/ex08_safe_mse: write safe_mse()")
