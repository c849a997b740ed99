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
    return grad * (s + beta * x * s * (1 - s)), (grad * x * x * s * (1 - s)).sum()
