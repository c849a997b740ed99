"""Exercise: 04_functions/ex05_sum.
backward multiplies the gradient with ones that are made on the CPU.
"""

import torch


class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim, keepdim):
        ctx.shape = tuple(x.shape)
        dims = tuple(range(x.ndim)) if dim is None else (dim if isinstance(dim, tuple) else (dim,))
        ctx.kept = list(x.shape)
        for d in dims:
            ctx.kept[d] = 1
        return x.sum() if dim is None and not keepdim else x.sum(dims, keepdim=keepdim)

    @staticmethod
    def backward(ctx, grad):
        return torch.ones(ctx.shape, dtype=grad.dtype) * grad.reshape(ctx.kept), None, None
