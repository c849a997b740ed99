import torch


def _shrink(grad, shape):
    """Sum grad until it has the given shape (my own copy from exercise 1)."""
    while grad.dim() > len(shape):
        grad = grad.sum(dim=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(dim=axis, keepdim=True)
    return grad


class Mul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        # print("backward of Mul", grad.shape, x.shape, y.shape)
        return _shrink(grad * y, x.shape), _shrink(grad * x, y.shape)
