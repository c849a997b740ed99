"""Reference solution for LinearFunction."""

import torch


class LinearFunction(torch.autograd.Function):
    """Return x times the transposed weight, plus bias, with all three gradients."""

    @staticmethod
    def forward(ctx, x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
        ctx.save_for_backward(x, weight)
        out = x @ weight.T
        return out if bias is None else out + bias

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        x, weight = ctx.saved_tensors
        x_needs, weight_needs, bias_needs = ctx.needs_input_grad
        rows = grad.reshape(-1, grad.shape[-1])
        grad_x = grad @ weight if x_needs else None
        grad_weight = rows.T @ x.reshape(-1, x.shape[-1]) if weight_needs else None
        grad_bias = rows.sum(0) if bias_needs else None
        return grad_x, grad_weight, grad_bias
