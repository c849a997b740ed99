"""(1) For a tuple of axes backward puts the summed axes back one by one in the order in which they were given. unsqueeze counts in the tensor as it is at that moment, so this is right only for ascending axes; (2, 0) raises, or lands at the wrong place. (2) x is saved although only its shape is needed: it stays alive, and an in-place edit of x makes backward raise."""

import torch


class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim, keepdim):
        ctx.save_for_backward(x)
        ctx.dim = dim
        ctx.keepdim = keepdim
        if dim is None:
            return x.sum(dim=tuple(range(x.ndim)), keepdim=keepdim)
        return x.sum(dim=dim, keepdim=keepdim)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        if not ctx.keepdim:
            if ctx.dim is None:
                grad = grad.reshape((1,) * x.ndim)
            else:
                dims = (ctx.dim,) if isinstance(ctx.dim, int) else ctx.dim
                for d in dims:
                    grad = grad.unsqueeze(d % x.ndim)
        return grad.expand(x.shape), None, None
