# honest, and a neighbour of a file that deletes its neighbours
import torch


class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim, keepdim):
        ctx.kept = x.sum(dim, keepdim=True).shape if x.dim() else x.shape
        ctx.full = x.shape
        return x.sum(dim, keepdim=keepdim)

    @staticmethod
    def backward(ctx, grad):
        return grad.reshape(ctx.kept).expand(ctx.full), None, None
