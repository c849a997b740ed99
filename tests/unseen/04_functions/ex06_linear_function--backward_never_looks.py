"""backward never looks at ctx.needs_input_grad and computes all three gradients every time; an input that needs none gets a tensor instead of None."""
import torch


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        out = x @ weight.t()
        if bias is not None:
            out = out + bias
        return out

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        x, weight = ctx.saved_tensors
        # any leading axes: look at them as one
        flat_x = x.reshape(-1, weight.shape[1])
        flat_grad = grad.reshape(-1, weight.shape[0])
        grad_x = grad @ weight
        grad_weight = flat_grad.t() @ flat_x
        grad_bias = flat_grad.sum(0) if ctx.has_bias else None
        return grad_x, grad_weight, grad_bias
