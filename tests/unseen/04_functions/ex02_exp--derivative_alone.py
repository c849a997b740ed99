"""backward returns the derivative and never multiplies it by grad; the result is kept on ctx."""
import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.result = x.exp()
        return ctx.result

    @staticmethod
    def backward(ctx, grad_output):
        return ctx.result
