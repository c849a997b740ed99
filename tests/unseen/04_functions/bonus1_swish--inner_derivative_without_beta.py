"""The second term of the gradient of x lacks the factor beta, the inner derivative of beta * x."""
import torch


class Swish(torch.autograd.Function):
    """Swish activation, y = x * sigmoid(beta * x), with a learnable beta.

    The sigmoid is recomputed in backward from the saved inputs rather than stored, so that double backward sees
    it as a function of x and beta.
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x, beta)
        return x * torch.sigmoid(beta * x)

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x, beta = ctx.saved_tensors
        s = torch.sigmoid(beta * x)
        ds = s * (1 - s)  # derivative of the sigmoid

        # Product rule: d/dx [x * s] = s + x * s'
        grad_x = grad * (s + x * ds)
        # d/dbeta [x * s] = x * x * s'; beta is shared by all elements, so sum over them.
        grad_beta = (grad * x * x * ds).sum()
        return grad_x, grad_beta
