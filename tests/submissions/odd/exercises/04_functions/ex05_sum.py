import torch


class Sum(torch.autograd.Function):
    """Axes as a bit mask."""

    @staticmethod
    def forward(ctx, x, dim, keepdim):
        rank = len(x.shape)
        mask = [dim is None] * rank
        if dim is not None:
            for d in dim if isinstance(dim, tuple) else [dim]:
                mask[d] = True
        ctx.full = tuple(x.shape)
        ctx.kept = tuple(1 if m else s for m, s in zip(mask, x.shape))
        total = x
        for d in reversed(range(rank)):
            if mask[d]:
                total = total.sum(d, keepdim=keepdim)
        return total if total is not x else x + 0

    @staticmethod
    def backward(ctx, grad):
        return grad.reshape(ctx.kept) + grad.new_zeros(ctx.full), None, None
