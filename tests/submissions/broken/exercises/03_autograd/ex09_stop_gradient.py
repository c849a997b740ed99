import torch


def td_loss(v_now, v_next, reward, gamma):
    target = (reward + gamma * v_next).detach()
    return ((v_now - target) ** 2).mean()


def straight_trough_round(x):
    return x + (x.round() - x).detach()


def center_with_fixed_mean(x):
    return x - x.mean(0).detach()
