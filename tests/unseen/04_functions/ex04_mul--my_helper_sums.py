"""(a) My helper sums only over the axes added on the left. An axis of size 1 that was stretched is not summed, so grad_x for (2, 1) comes back as (2, 3). (b) I save x.detach() and y.detach(), which are constants for PyTorch, so the gradient can't be differentiated again with respect to x and y: second derivatives are missing or wrong."""
import torch


def fit(g, like):
    while g.dim() > like.dim():
        g = g.sum(dim=0)
    return g


class Mul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x.detach(), y.detach())
        return x * y

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x, y = ctx.saved_tensors
        return fit(grad * y, x), fit(grad * x, y)
