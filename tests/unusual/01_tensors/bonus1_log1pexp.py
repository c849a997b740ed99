"""An autograd Function whose backward is the sigmoid."""
import torch


class _Log1pExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0) + x.abs().neg().exp().log1p()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * torch.sigmoid(x)


def log1pexp(x):
    return _Log1pExp.apply(x)
