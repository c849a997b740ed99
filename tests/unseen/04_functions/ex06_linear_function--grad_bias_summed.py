"""grad_bias is summed over axis 0 only: for x of shape (a, b, inputs) it has the shape (b, outputs), and for x of shape (inputs,) it is a scalar."""
import torch


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
        ctx.save_for_backward(x, weight)
        y = x @ weight.T
        if bias is not None:
            y = y + bias
        return y

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        x, weight = ctx.saved_tensors
        grad_x = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            grad_x = grad @ weight
        if ctx.needs_input_grad[1]:
            grad_weight = grad.reshape(-1, weight.shape[0]).T @ x.reshape(-1, weight.shape[1])
        if ctx.needs_input_grad[2]:
            grad_bias = grad.sum(dim=0)
        return grad_x, grad_weight, grad_bias
