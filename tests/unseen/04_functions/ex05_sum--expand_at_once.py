"""grad is expanded without putting the summed axis back."""
import torch

class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim, keepdim):
        ctx.size = x.shape
        return torch.sum(x, dim, keepdim)

    @staticmethod
    def backward(ctx, grad):
        return grad.expand(ctx.size), None, None
