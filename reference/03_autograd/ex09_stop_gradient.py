"""Three uses of detach: a fixed target, a fixed correction, a fixed mean."""

import torch


def td_loss(v_now: torch.Tensor, v_next: torch.Tensor, reward: torch.Tensor, gamma: float) -> torch.Tensor:
    """Return the mean squared distance of v_now from the fixed target reward + gamma * v_next."""
    target = (reward + gamma * v_next).detach()
    return ((v_now - target) ** 2).mean()


def straight_through_round(x: torch.Tensor) -> torch.Tensor:
    """Return x rounded to whole numbers, with the gradient of the identity."""
    return x + (x.round() - x).detach()


def center_with_fixed_mean(x: torch.Tensor) -> torch.Tensor:
    """Return x minus the mean of each feature over the batch, with the mean held constant."""
    return x - x.mean(dim=0).detach()
