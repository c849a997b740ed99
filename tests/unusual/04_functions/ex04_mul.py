"""A class that types.new_class makes, out of plain functions."""
import types

import torch


def _forward(x, y):
    return torch.einsum("...,...->...", x, y)


def _setup_context(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def _backward(ctx, grad):
    x, y = ctx.saved_tensors
    return tuple((grad * other).sum_to_size(own.shape) for own, other in ((x, y), (y, x)))


Mul = types.new_class(
    "Mul",
    (torch.autograd.Function,),
    exec_body=lambda space: space.update(
        forward=staticmethod(_forward),
        setup_context=staticmethod(_setup_context),
        backward=staticmethod(_backward),
    ),
)
