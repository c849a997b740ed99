"""x is kept as ctx.x instead of with save_for_backward. After an in-place edit of x, backward silently uses the edited numbers and gives a wrong gradient instead of an error."""
import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        ctx.x = x
        return torch.exp(x)

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> torch.Tensor:
        return torch.exp(ctx.x) * grad
