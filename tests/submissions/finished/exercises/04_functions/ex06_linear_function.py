import torch


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        y = x @ weight.t()  # (..., inputs) @ (inputs, outputs)
        if bias is not None:
            y = y + bias
        return y

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        need_x, need_weight, need_bias = ctx.needs_input_grad
        grad_x = grad_weight = grad_bias = None

        # one table of rows, whatever axes are in front
        outputs, inputs = weight.shape
        grad_rows = grad.reshape(-1, outputs)
        x_rows = x.reshape(-1, inputs)

        if need_x:
            grad_x = grad @ weight  # (..., outputs) @ (outputs, inputs)
        if need_weight:
            grad_weight = grad_rows.t() @ x_rows  # (outputs, rows) @ (rows, inputs)
        if need_bias:
            grad_bias = grad_rows.sum(dim=0)
        return grad_x, grad_weight, grad_bias
