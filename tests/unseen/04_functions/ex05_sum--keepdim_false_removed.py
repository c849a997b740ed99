"""With keepdim False the removed axes are put back in the order in which the caller named them, without sorting. dim=(2, 0) raises an IndexError in backward; dim=(1, 0) puts the numbers along the wrong axis or fails."""
import torch


class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor, dim: int | tuple[int, ...] | None, keepdim: bool) -> torch.Tensor:
        ctx.shape = x.shape
        ctx.dim = dim
        ctx.keepdim = keepdim
        return x.sum(dim, keepdim=keepdim).clone()

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        shape, dim = ctx.shape, ctx.dim
        if dim is None:
            dim = tuple(range(len(shape)))
        elif isinstance(dim, int):
            dim = (dim,)
        if not ctx.keepdim:
            # put the removed axes back
            for d in dim:
                grad = grad.unsqueeze(d % len(shape))
        return grad.expand(shape), None, None
