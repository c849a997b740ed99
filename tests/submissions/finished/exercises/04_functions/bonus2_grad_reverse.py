import torch


class GradReverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.scale = scale
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return grad * -ctx.scale, None


class SignSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        plus, minus = torch.ones_like(x), -torch.ones_like(x)
        return torch.where(x >= 0, plus, minus)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        inside = (x >= -1) & (x <= 1)
        return torch.where(inside, grad, torch.zeros_like(grad))
