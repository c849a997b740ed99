"""td_loss detaches v_next only, so the gradient also reaches reward if that requires grad. straight_through_round computes floor(x + 0.5), so halves go up and not to the even neighbor (2.5 gives 3)."""

import torch


def td_loss(v_now: torch.Tensor, v_next: torch.Tensor, reward: torch.Tensor, gamma: float) -> torch.Tensor:
    """Mean squared temporal-difference error with a semi-gradient.

    The bootstrap value is detached so that the update moves the current estimate toward the target, and never the
    target toward the estimate.
    """
    bootstrap = gamma * v_next.detach()
    td_error = reward + bootstrap - v_now
    return td_error.square().mean()


class _StraightThrough(torch.autograd.Function):
    """Round in the forward pass, identity in the backward pass."""

    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        # Adding one half before flooring rounds to the nearest whole number.
        return torch.floor(x + 0.5)

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> torch.Tensor:
        return grad


def straight_through_round(x: torch.Tensor) -> torch.Tensor:
    """Round x with a straight-through gradient estimator."""
    return _StraightThrough.apply(x)


def center_with_fixed_mean(x: torch.Tensor) -> torch.Tensor:
    """Center every feature over the batch, treating the mean as a constant."""
    mean = x.detach().mean(dim=0, keepdim=True)
    return x - mean
