"""The axes of a tuple are put back in the order given, not from left to right."""
import torch


class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim, keepdim):
        ctx.shape = x.shape
        ctx.dim = dim
        ctx.keepdim = keepdim
        if dim is None and not keepdim:
            return x.sum()
        return x.sum(dim=dim, keepdim=keepdim)

    @staticmethod
    def backward(ctx, grad):
        if not ctx.keepdim and ctx.dim is not None:
            dims = [ctx.dim] if isinstance(ctx.dim, int) else list(ctx.dim)
            for d in dims:
                grad = grad.unsqueeze(d)
        return grad.expand(ctx.shape), None, None
