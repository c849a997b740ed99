"""The result is kept as ctx.y, not with save_for_backward: after an in-place edit of the result backward silently uses the edited numbers."""
import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        ctx.y = torch.exp(x)
        return ctx.y

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> torch.Tensor:
        return grad * ctx.y
