"""Exercise: 03_autograd/ex09_stop_gradient.
gamma becomes a full tensor on the CPU.
"""

import torch


def td_loss(v_now, v_next, reward, gamma):
    discount = torch.full(v_next.shape, gamma, dtype=v_next.dtype)
    target = (reward + discount * v_next).detach()
    return (v_now - target).square().mean()


def straight_through_round(x):
    return x + (torch.round(x) - x).detach()


def center_with_fixed_mean(x):
    return x - x.mean(dim=0, keepdim=True).detach()
