"""Optimizers 5 of 7: linear regression from scratch, the whole training loop.

Difficulty 3 of 5, about 15 minutes. Fast track.
"""

import torch


def fit_line(
    X: torch.Tensor, y: torch.Tensor, w0: torch.Tensor, b0: torch.Tensor, lr: float, epochs: int
) -> tuple[torch.Tensor, torch.Tensor, list[float]]:
    """Fit the line w * X + b to the points by gradient descent, starting at w0 and b0.

    Each epoch uses all points once: predict, take the mean of the squared errors as the loss, find its
    gradients for w and for b, then move both by -lr times their gradients. history[k] is the loss of epoch
    k as a Python float, measured before the step of that epoch. Work on copies: the caller's w0 and b0 keep
    their values.

    Shapes:
        X, y     (n, 1), n at least 1
        w0, b0   (1,)
        result   (w, b, history): w and b are (1,), history is a list of `epochs` floats

    All tensors have one floating dtype and one device; w and b have the same.

    Example:
        >>> X = torch.linspace(-1, 1, 5).unsqueeze(1)
        >>> w, b, history = fit_line(X, 3 * X + 2, torch.zeros(1), torch.zeros(1), lr=0.5, epochs=50)
        >>> w, b
        (tensor([3.]), tensor([2.]))
        >>> history[0], len(history)
        (8.5, 50)

    Pitfall:
        backward() adds to .grad. Without clearing,
        epoch 2 steps with the gradients of epoch 1 and epoch 2 together.

    Not allowed: torch.optim (then this exercise is not done), and the layers and losses of torch.nn (then
    that part is not done). Write every part of the loop yourself.

    For full marks:
        * w and b have no graph (requires_grad is False).
        * w0 and b0 may have shape (): w has the shape of w0, b has the shape of b0.
        * w0 and b0 may require grad and carry an old .grad. It has no influence on the fit, and both stay
          as they were.
        * epochs may be 0: the result is a copy of w0, a copy of b0 and [].
        * A loss of 0, or one that grows, does not end the fit early.
    """
    raise NotImplementedError("05_optimizers/ex05_fit_line: write fit_line()")
