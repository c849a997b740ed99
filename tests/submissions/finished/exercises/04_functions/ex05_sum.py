import torch


def _summed_axes(dim, rank):
    if dim is None:
        return list(range(rank))
    if isinstance(dim, int):
        dim = (dim,)
    return [d % rank for d in dim]


class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim, keepdim):
        ctx.x_shape = tuple(x.shape)
        ctx.axes = _summed_axes(dim, x.dim())
        ctx.keepdim = keepdim
        if x.dim() == 0:
            return x.clone()
        return x.sum(dim=tuple(ctx.axes), keepdim=keepdim)

    @staticmethod
    def backward(ctx, grad):
        if not ctx.keepdim:
            # put the axes back, from left to right, so that the positions are right
            for axis in sorted(ctx.axes):
                grad = grad.unsqueeze(axis)
        return grad.expand(ctx.x_shape), None, None
