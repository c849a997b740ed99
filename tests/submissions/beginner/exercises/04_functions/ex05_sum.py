import torch


class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim, keepdim):
        ctx.save_for_backward(x, dim)
        return x.sum(dim, keepdim)

    @staticmethod
    def backward(ctx, grad):
        x, dim = ctx.saved_tensors
        return grad * torch.ones_like(x)
