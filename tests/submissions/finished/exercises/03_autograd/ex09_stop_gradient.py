import torch


def td_loss(v_now, v_next, reward, gamma):
    with torch.no_grad():
        target = reward + gamma * v_next  # a constant by decision
    error = v_now - target
    return (error * error).mean()


def straight_through_round(x):
    # forward: x + (round(x) - x) would lose digits for huge or tiny x, so the sum is the other way round:
    # the rounded values plus something that is exactly zero and has slope one.
    rounded = torch.round(x.detach())
    zero_with_slope_one = x - x.detach()
    return rounded + zero_with_slope_one


def center_with_fixed_mean(x):
    mean = x.detach().mean(dim=0, keepdim=True)
    return x - mean
