"""Autograd 9 of 10: decide what counts as a constant.

Difficulty 3 of 5, about 10 minutes. Fast track.
"""

import torch


def td_loss(v_now: torch.Tensor, v_next: torch.Tensor, reward: torch.Tensor, gamma: float) -> torch.Tensor:
    """Return the mean squared distance of v_now from the fixed target reward + gamma * v_next.

    Shapes:
        v_now, v_next, reward  the same shape, floating point
        result                 0-dim

    The target is a constant: the gradient reaches v_now and nothing else, even if v_next or reward requires
    grad.

    Example:
        >>> td_loss(torch.tensor([1.0]), torch.tensor([4.0]), torch.tensor([1.0]), 0.5)
        tensor(4.)

    Pitfall:
        Without a stop, the loss also shrinks by pulling the target toward the guess.
    """
    raise NotImplementedError("03_autograd/ex09_stop_gradient: write td_loss()")


def straight_through_round(x: torch.Tensor) -> torch.Tensor:
    """Return x rounded to whole numbers, with the gradient of the identity.

    Shapes:
        x       any shape, floating point
        result  shape and dtype of x

    Values are those of torch.round: halves go to the even neighbor. Backward passes the upstream gradient to
    x unchanged, as if nothing had been rounded. x is not changed.

    Example:
        >>> x = torch.tensor([0.4, 2.5, 3.5])
        >>> straight_through_round(x)
        tensor([0., 2., 4.])

    Pitfall:
        The derivative of round is 0 except at the jumps, so nothing before it can learn. And detach() shares
        memory with x: an in-place operation on the detached tensor changes x.

    For full marks:
        * large numbers, and numbers just below a half, are rounded exactly as torch.round does
    """
    raise NotImplementedError("03_autograd/ex09_stop_gradient: write straight_through_round()")


def center_with_fixed_mean(x: torch.Tensor) -> torch.Tensor:
    """Return x minus the mean of each feature over the batch, with the mean held constant.

    Shapes:
        x       (batch, features), floating point
        result  (batch, features)

    Backward passes the upstream gradient to x unchanged: no gradient flows through the mean. x is not changed.

    Example:
        >>> center_with_fixed_mean(torch.tensor([[1.0, 10.0], [3.0, 30.0]]))
        tensor([[ -1., -10.],
                [  1.,  10.]])

    Pitfall:
        The difference does not show in the values. Look at the gradient.
    """
    raise NotImplementedError("03_autograd/ex09_stop_gradient: write center_with_fixed_mean()")
