"""backward zeroes the gradient only where x < 0, so at x = 0 the upstream gradient passes (derivative 1 at the kink)."""
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return torch.where(x > 0, x, torch.zeros_like(x))

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> torch.Tensor:
        x, = ctx.saved_tensors
        return torch.where(x < 0, torch.zeros_like(grad), grad)
