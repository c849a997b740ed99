import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        x[x < 0] = 0
        return x

    @staticmethod
    def backward(ctx, grad):
        x = ctx.saved_tensors
        grad[x < 0] = 0
        return grad
