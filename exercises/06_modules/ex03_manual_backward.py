"""Modules 3 of 7: the backward pass of a two-layer network, by hand.

Difficulty 5 of 5, about 25 minutes.
"""

import torch


def mlp_backward(
    x: torch.Tensor,
    y: torch.Tensor,
    W1: torch.Tensor,
    b1: torch.Tensor,
    W2: torch.Tensor,
    b2: torch.Tensor,
) -> dict[str, torch.Tensor]:
    """Return the gradient of the loss for every tensor of the computation, by name.

    The forward pass, with N examples:
        pre  = x @ W1.T + b1
        h    = pre where pre > 0, else 0       (ReLU; its derivative at 0 is 0)
        out  = h @ W2.T + b2
        diff = out - y
        sq   = diff * diff
        loss = the mean of all N * n_out numbers in sq

    Shapes:
        x  (N, n_in)           y  (N, n_out)
        W1 (n_hidden, n_in)    b1 (n_hidden,)
        W2 (n_out, n_hidden)   b2 (n_out,)
        result: a dict with the keys "sq", "diff", "out", "h", "pre", "W2", "b2", "W1", "b1",
        "x", "y", in any order. The value is the derivative of loss with respect to that tensor: same shape and dtype.

    Example:
        >>> one = torch.ones(1, 1)
        >>> grads = mlp_backward(one, 5 * one, 2 * one, torch.zeros(1), 3 * one, torch.zeros(1))
        >>> {name: grads[name].item() for name in ("diff", "W2", "W1", "x")}
        {'diff': 2.0, 'W2': 4.0, 'W1': 6.0, 'x': 12.0}

    Pitfall:
        h is never negative, so the test h >= 0 is true everywhere and stops nothing.
        Look at pre, or at h > 0.

    Not allowed: backward and torch.autograd (then this exercise is not done). Compute the gradients by hand.

    For full marks:
        * Inputs may require grad and have a .grad: both stay as they were, and the result still has no
          graph.
        * The function also works inside torch.no_grad().
    """
    raise NotImplementedError("06_modules/ex03_manual_backward: write mlp_backward()")
