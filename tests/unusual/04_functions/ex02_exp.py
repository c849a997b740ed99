"""The input is saved; a base class of its own; a rule for vmap."""
import torch


class _Elementwise(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)


class Exp(_Elementwise):
    @staticmethod
    def forward(x):
        return x.exp()

    @classmethod
    def backward(cls, ctx, grad):
        return grad * ctx.saved_tensors[0].exp()
