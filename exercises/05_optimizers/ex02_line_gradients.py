"""Optimizers 2 of 7: the gradient of the squared error of a line, by hand.

Difficulty 2 of 5, about 10 minutes.
"""

import torch


def line_gradients(
    w: torch.Tensor, b: torch.Tensor, X: torch.Tensor, y: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the slopes (dw, db) of the mean squared error of the line w * X + b.

    The loss is the mean over the n points of (w * X + b - y) squared.

    Shapes:
        w, b    each of shape (1,) or ()
        X       (n, 1), n at least 1
        y       (n, 1) or (n,)
        result  (dw, db): dw has the shape of w, db has the shape of b

    All inputs have one floating dtype and one device; the results have the same.

    Edge cases:
        y of shape (n,) gives the same result as y of shape (n, 1).
        Inputs may be non-contiguous. They may require grad:
        the results have no graph (requires_grad is False).
        The function also works inside torch.no_grad(). It changes no input,
        and no input's .grad or requires_grad.

    Example:
        >>> zero, three = torch.tensor([0.0]), torch.tensor([[3.0]])
        >>> line_gradients(zero, zero, three, three)
        (tensor([-18.]), tensor([-6.]))

    Pitfall:
        (n, 1) minus (n,) is an (n, n) table of every prediction against every target. Its mean looks
        reasonable and is wrong.

    Not allowed: backward and torch.autograd; the point is to write the two formulas yourself.
    """
    raise NotImplementedError("05_optimizers/ex02_line_gradients: write line_gradients()")
