import torch


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight, bias)
        return x @ weight + bias

    @staticmethod
    def backward(ctx, grad):
        x, weight, bias = ctx.saved_tensors
        grad_x = grad @ weight.T
        grad_weight = x.T @ grad
        grad_bias = grad.mean(0)
        return grad_x, grad_weight, grad_bias
