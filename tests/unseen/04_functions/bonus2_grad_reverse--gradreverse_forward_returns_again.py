"""(a) GradReverse.forward returns x.view_as(x), a view of x: an in-place edit of the result (ReLU(inplace=True)) raises an error. (b) SignSTE passes the gradient only where -1 < x < 1; exactly at -1 and 1 it gives 0."""
import torch


class GradReverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor, scale: float) -> torch.Tensor:
        ctx.scale = scale
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        return -ctx.scale * grad, None


class SignSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return (x >= 0).to(x.dtype) * 2 - 1

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        inside = (x > -1) & (x < 1)
        return torch.where(inside, grad, torch.zeros_like(grad))
