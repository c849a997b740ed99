"""For x of more than two dimensions flatten the leading ones first."""
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
        needs = ctx.needs_input_grad
        gx = grad @ weight if needs[0] else None
        gw = grad.T @ x if needs[1] else None
        gb = grad.sum(0) if needs[2] else None
        return gx, gw, gb
