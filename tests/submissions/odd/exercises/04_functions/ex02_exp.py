import math

import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.pow(math.e, x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, grad):
        return Exp.apply(*ctx.saved_tensors) * grad  # my own function again: then the second derivative comes for free
