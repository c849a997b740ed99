"""GradReverse.forward returns x.view_as(x), a view and not a copy. An in-place edit of the result (ReLU(inplace=True)) raises an error, or writes into x where nothing is recorded."""
import torch


class GradReverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor, scale: float) -> torch.Tensor:
        ctx.scale = scale
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        return grad.neg() * ctx.scale, None


class SignSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        ones = torch.ones_like(x)
        return torch.where(x >= 0, ones, -ones)

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        outside = (x < -1) | (x > 1)
        return grad.masked_fill(outside, 0.0)
