"""The gradient of x has only the first term, the sigmoid: x inside the sigmoid is taken for a constant."""
import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, beta):
        ctx.save_for_backward(x, beta)
        return x * torch.sigmoid(beta * x)

    @staticmethod
    def backward(ctx, grad):
        x, beta = ctx.saved_tensors
        s = torch.sigmoid(beta * x)
        grad_x = grad * s
        grad_beta = (grad * x * x * s * (1 - s)).sum()
        return grad_x, grad_beta
