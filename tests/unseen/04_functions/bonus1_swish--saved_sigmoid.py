"""It saves the sigmoid, which is a constant for second derivatives; and the gradient of beta is not summed."""
import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, beta):
        s = torch.sigmoid(beta * x)
        ctx.save_for_backward(x, beta, s)
        return x * s

    @staticmethod
    def backward(ctx, grad):
        x, beta, s = ctx.saved_tensors
        ds = s * (1 - s)
        grad_x = grad * (s + beta * x * ds)
        grad_beta = grad * x * x * ds
        return grad_x, grad_beta
