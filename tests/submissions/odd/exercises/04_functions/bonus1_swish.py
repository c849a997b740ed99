import torch


class Swish(torch.autograd.Function):
    """With tanh: sigmoid(z) = (1 + tanh(z / 2)) / 2."""

    @staticmethod
    def forward(ctx, x, beta):
        ctx.save_for_backward(x, beta)
        return x * (1 + torch.tanh(beta * x / 2)) / 2

    @staticmethod
    def backward(ctx, grad):
        x, beta = ctx.saved_tensors
        t = torch.tanh(beta * x / 2)
        s = (1 + t) / 2
        ds = (1 - t * t) / 4  # slope of the sigmoid
        return grad * (s + beta * x * ds), torch.sum(grad * x * x * ds)
