"""Optimizers 2 of 7: the gradient of the squared error of a line, by hand.

Difficulty 2 of 5, about 10 minutes.
"""

import torch


def line_gradients(
    w: torch.Tensor, b: torch.Tensor, X: torch.Tensor, y: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the derivatives (dw, db) of the mean squared error of the line w * X + b.

    The loss is the mean over the n points of (w * X + b - y) squared.

    Shapes:
        w, b    each of shape ()
        X       (n, 1), n at least 1
        y       (n, 1) or (n,): both give the same result
        result  (dw, db), each of shape ()

    All inputs have one floating dtype and one device; the results have the same.

    Example:
        >>> zero, three = torch.tensor(0.0), torch.tensor([[3.0]])
        >>> line_gradients(zero, zero, three, three)
        (tensor(-18.), tensor(-6.))

    Pitfall:
        (n, 1) minus (n,) is an (n, n) matrix of every prediction against every target. Its mean looks
        reasonable and is wrong.

    Not allowed: backward and torch.autograd (then this exercise is not done). The point is to write the two
    formulas yourself.

    For full marks:
        * w or b may have shape (1,): dw has the shape of w, db has the shape of b.
        * X and y may be non-contiguous.
        * Inputs may require grad: the results still have no graph (requires_grad is False).
        * Grad mode, and every input's .grad and requires_grad, stay as they were.
    """
    raise NotImplementedError("05_optimizers/ex02_line_gradients: write line_gradients()")
