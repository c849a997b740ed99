"""(a) td_loss stops the gradient at v_next only; reward still gets one. (b) straight_through_round rounds with floor(x + 0.5), so halves go up instead of to the even neighbor (0.5 gives 1, 2.5 gives 3)."""
import torch


def stop_gradient(t):
    return t.detach()


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
    target = reward + gamma * stop_gradient(v_next)
    return (v_now - target).square().mean()


def straight_through_round(x: torch.Tensor) -> torch.Tensor:
    """Return x rounded to whole numbers, with the gradient of the identity.

    Shapes:
        x       any shape, floating point
        result  shape and dtype of x

    Values are those of torch.round: halves go to the even neighbor. Backward hands the upstream gradient
    to x unchanged, as if nothing had been rounded. x is not changed.

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
    fixed = stop_gradient(x)
    rounded = torch.floor(fixed + 0.5)
    return x + (rounded - fixed)


def center_with_fixed_mean(x: torch.Tensor) -> torch.Tensor:
    """Return x minus the mean of each feature over the batch, with the mean held constant.

    Shapes:
        x       (batch, features), floating point
        result  (batch, features)

    Backward hands the upstream gradient to x unchanged: no gradient flows through the mean. x is not changed.

    Example:
        >>> center_with_fixed_mean(torch.tensor([[1.0, 10.0], [3.0, 30.0]]))
        tensor([[ -1., -10.],
                [  1.,  10.]])

    Pitfall:
        The difference does not show in the values. Look at the gradient.
    """
    return x - stop_gradient(x.mean(axis=0))
