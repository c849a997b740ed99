"""(a) With keepdim False the axes are put back in the order of the tuple, not sorted. dim=(1, 0) on a three-dimensional x puts the numbers along the wrong axis or raises an error. (b) The whole x is saved although only its shape is needed: after an in-place edit of x backward raises, and x is kept alive."""
import torch


class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor, dim: int | tuple[int, ...] | None, keepdim: bool) -> torch.Tensor:
        ctx.save_for_backward(x)
        ctx.keepdim = keepdim
        if dim is None:
            ctx.dims = tuple(range(x.dim()))
            return x.sum().reshape([1] * x.dim()) if keepdim else x.sum()
        dims = (dim,) if isinstance(dim, int) else dim
        ctx.dims = tuple(d % x.dim() for d in dims)  # -1 -> last axis
        return x.sum(dim, keepdim=keepdim)

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        (x,) = ctx.saved_tensors
        if not ctx.keepdim:
            for d in ctx.dims:
                grad = grad.unsqueeze(d)
        return grad.expand(x.shape), None, None
