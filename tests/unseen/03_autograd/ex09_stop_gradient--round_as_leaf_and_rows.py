"""straight_through_round rounds without a graph, so no gradient gets back to x; center_with_fixed_mean takes the mean of each row."""
import torch


def td_loss(v_now, v_next, reward, gamma):
    target = (reward + gamma * v_next).detach()
    return ((v_now - target) ** 2).mean()


def straight_through_round(x):
    with torch.no_grad():
        y = torch.round(x)
    return y.requires_grad_(x.requires_grad)


def center_with_fixed_mean(x):
    return x - x.mean(dim=1, keepdim=True).detach()
