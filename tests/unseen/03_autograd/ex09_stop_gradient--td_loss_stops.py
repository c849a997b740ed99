"""(a) td_loss stops the gradient at v_next only; reward still gets one. (b) straight_through_round rounds with floor(x + 0.5), so halves go up instead of to the even neighbor (0.5 gives 1, 2.5 gives 3)."""
import torch


def stop_gradient(t):
    return t.detach()


def td_loss(v_now: torch.Tensor, v_next: torch.Tensor, reward: torch.Tensor, gamma: float) -> torch.Tensor:
    target = reward + gamma * stop_gradient(v_next)
    return (v_now - target).square().mean()


def straight_through_round(x: torch.Tensor) -> torch.Tensor:
    fixed = stop_gradient(x)
    rounded = torch.floor(fixed + 0.5)
    return x + (rounded - fixed)


def center_with_fixed_mean(x: torch.Tensor) -> torch.Tensor:
    return x - stop_gradient(x.mean(axis=0))
