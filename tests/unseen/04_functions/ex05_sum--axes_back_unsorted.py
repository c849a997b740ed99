"""With a tuple of axes and keepdim False, backward puts the axes back in the order in which they are written, so tuples such as (2, 0) or (-2, -1) put them in the wrong place or fail."""

import torch


class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim, keepdim):
        ctx.old_shape = x.shape
        ctx.dim = dim
        ctx.keepdim = keepdim
        if dim is None:
            if keepdim:
                all_axes = tuple(range(x.dim()))
                if len(all_axes) == 0:
                    return x.clone()
                return x.sum(all_axes, keepdim=True)
            return x.sum()
        if x.dim() == 0:
            return x.clone()
        return x.sum(dim, keepdim=keepdim)

    @staticmethod
    def backward(ctx, grad):
        shape = ctx.old_shape
        if ctx.dim is not None and not ctx.keepdim:
            axes = ctx.dim
            if isinstance(axes, int):
                axes = (axes,)
            for a in axes:
                grad = grad.unsqueeze(a)
        gx = grad.expand(shape)
        return gx, None, None
