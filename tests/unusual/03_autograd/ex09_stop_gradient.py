"""One autograd Function that applies any function forward and the identity backward."""
import torch


class _PassThrough(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, function):
        return function(x)

    @staticmethod
    def backward(ctx, grad):
        return grad, None


def td_loss(v_now, v_next, reward, gamma):
    with torch.no_grad():
        target = torch.add(reward, v_next, alpha=gamma)
    return torch.nn.functional.mse_loss(input=v_now, target=target)


def straight_through_round(x):
    return _PassThrough.apply(x, torch.round)


def center_with_fixed_mean(x):
    return _PassThrough.apply(x, lambda batch: batch - batch.mean(dim=0))
