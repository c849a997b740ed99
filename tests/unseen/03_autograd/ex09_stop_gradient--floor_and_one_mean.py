"""Rounding is floor(x + 0.5), so halves go up, and the mean is one number over the whole tensor."""
import torch


def td_loss(v_now, v_next, reward, gamma):
    target = (reward + gamma * v_next).detach()
    return ((v_now - target) ** 2).mean()


def straight_through_round(x):
    rounded = torch.floor(x + 0.5)
    return x + (rounded - x).detach()


def center_with_fixed_mean(x):
    return x - x.mean().detach()
