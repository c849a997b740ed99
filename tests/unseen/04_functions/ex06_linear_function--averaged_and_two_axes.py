"""The gradient of the weight is averaged over the rows, and the gradients of weight and bias only work for two axes."""
import torch


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        y = x @ weight.T
        if bias is not None:
            y = y + bias
        return y

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        gx = gw = gb = None
        if ctx.needs_input_grad[0]:
            gx = grad @ weight
        if ctx.needs_input_grad[1]:
            gw = grad.T @ x / max(len(x), 1)
        if ctx.needs_input_grad[2]:
            gb = grad.sum(0)
        return gx, gw, gb
