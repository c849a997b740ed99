"""Functions intro 2: the backward of two Functions whose forward is there.

Difficulty 1 of 5, about 8 minutes.
"""

import torch


class Triple(torch.autograd.Function):
    """Return 3 * x, with its gradient.

    Triple.apply(x) calls forward, which is complete. Write backward. It gets grad, the gradient of the loss with respect to the
    result, and returns the gradient with respect to x: the derivative, 3, times grad.

    Example:
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> Triple.apply(x).backward(torch.tensor([1.0, 10.0]))
        >>> x.grad
        tensor([ 3., 30.])
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        return 3 * x

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/intro2_square: write Triple.backward()")


class Square(torch.autograd.Function):
    """Return x * x, element by element, with its gradient.

    forward is complete: it saves x. Write backward: the derivative, 2 * x, times grad. `(x,) = ctx.saved_tensors` brings x back.

    Example:
        >>> x = torch.tensor([1.0, 3.0], requires_grad=True)
        >>> Square.apply(x).backward(torch.tensor([1.0, 10.0]))
        >>> x.grad
        tensor([ 2., 60.])

    Pitfall:
        ctx.saved_tensors is a tuple, even when it holds one tensor: unpack it with a comma.

    Not allowed: autograd inside backward (torch.enable_grad, torch.autograd.grad, Tensor.backward,
    torch.func) (then this exercise is not done): write the rule yourself.
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/intro2_square: write Square.backward()")
