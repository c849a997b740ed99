"""`if dim` is False for dim = 0, so axis 0 is taken for all axes."""
import torch


class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim, keepdim):
        ctx.shape = x.shape
        ctx.dim = dim
        ctx.keepdim = keepdim
        if dim:
            return x.sum(dim, keepdim=keepdim)
        return x.sum(tuple(range(x.ndim)), keepdim=keepdim) if x.ndim else x.clone()

    @staticmethod
    def backward(ctx, grad):
        dims = ctx.dim if ctx.dim else tuple(range(len(ctx.shape)))
        if isinstance(dims, int):
            dims = (dims,)
        dims = sorted(d % len(ctx.shape) for d in dims)
        if not ctx.keepdim:
            for d in dims:
                grad = grad.unsqueeze(d)
        return grad.expand(ctx.shape), None, None
