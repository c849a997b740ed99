"""forward returns x.view_as(x), the line found in nearly every gradient reversal layer. The result is a view of x made inside a custom Function, so an in-place edit of it (ReLU(inplace=True)) raises an error. The stub allows such an edit, and x has to stay as it was."""

from typing import Any

import torch
from torch import Tensor


class GradReverse(torch.autograd.Function):
    """Gradient reversal layer (identity forward, scaled and negated gradient backward)."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, scale: float) -> Tensor:
        ctx.scale = scale
        # Return a view, so that autograd does not mistake the output for the unchanged input.
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        return grad.neg() * ctx.scale, None


class SignSTE(torch.autograd.Function):
    """Binarize to {-1, 1} with a clipped straight-through gradient."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        one = torch.ones_like(x)
        return torch.where(x >= 0, one, -one)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return torch.where(x.abs() <= 1, grad, torch.zeros_like(grad))
