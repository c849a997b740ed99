"""Exercise: 04_functions/ex03_relu.
torch.where takes a 0-dim zero from the CPU, which goes with any device.
"""

import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x > 0, x, torch.tensor(0.0, dtype=x.dtype))

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, grad, torch.zeros_like(grad))
