"""(a) With keepdim False the axes are inserted in sorted order without making negative ones non-negative, so a tuple of several negative axes such as (-2, -1) fails or puts an axis in the wrong place. (b) x itself is saved only for its shape, so it stays alive and an in-place edit of x makes backward raise."""
import torch


class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor, dim: int | tuple[int, ...] | None, keepdim: bool) -> torch.Tensor:
        ctx.save_for_backward(x)
        ctx.dim = dim
        ctx.keepdim = keepdim
        return x.sum(dim, keepdim=keepdim)

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        (x,) = ctx.saved_tensors
        dim = ctx.dim
        if dim is not None and not ctx.keepdim:
            dims = (dim,) if isinstance(dim, int) else dim
            for d in sorted(dims):
                grad = grad.unsqueeze(d)
        return grad.expand(x.shape), None, None
