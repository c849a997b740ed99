import torch
from torch.autograd import Function


class Mask(Function):
    """Multiplication by a fixed mask; its own transpose."""

    @staticmethod
    def forward(ctx, g, mask):
        ctx.mask = mask
        return g.masked_fill(~mask, 0)

    @staticmethod
    def backward(ctx, g):
        return Mask.apply(g, ctx.mask), None


class ReLU(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.positive = x.gt(0)  # a tensor of my own, nobody else can edit it
        return torch.maximum(x, x.new_zeros(()))

    @staticmethod
    def backward(ctx, grad):
        return Mask.apply(grad, ctx.positive)
