"""Functions 2 of 9: your first autograd Function, the exponential.

Difficulty 2 of 5, about 10 minutes.
"""

import torch


class Exp(torch.autograd.Function):
    """Return e to the power x, element by element, with its gradient.

    Call:
        Exp.apply(x)    x any shape, float32 or float64
        result          shape, dtype and device of x

    backward gets grad, the gradient of the loss with respect to the result (the upstream gradient), with the
    result's shape, dtype and device. It returns one tensor with those of x: the derivative times grad. Pass
    what backward needs through ctx.save_for_backward and ctx.saved_tensors.

    forward(x) with setup_context is fine too.

    Example:
        >>> x = torch.tensor([0.0, 1.0], requires_grad=True)
        >>> y = Exp.apply(x)
        >>> y.detach()
        tensor([1.0000, 2.7183])
        >>> y.backward(torch.tensor([10.0, 1.0]))
        >>> x.grad
        tensor([10.0000,  2.7183])

    Pitfall:
        Returning the derivative alone. It must be multiplied by grad; with y.sum().backward() grad is all
        ones, and you don't notice.

    torch.exp is allowed. Not allowed: autograd inside forward and backward (torch.enable_grad,
    torch.autograd.grad, Tensor.backward, torch.func) (then this exercise is not done): write the rule
    yourself.

    For full marks:
        * x may be 0-dim, empty, transposed or expanded, and is never changed, and the result has its own
          memory.
        * grad may be transposed or expanded. backward never writes into it: other code uses it too.
        * backward may be called twice (retain_graph=True) and gives the same answer again.
        * The gradient can be differentiated again (create_graph=True), and the second derivative is right.
        * After an in-place edit of x or the result, backward raises RuntimeError or is still right.
          ctx.save_for_backward gives you this; `ctx.y = y` does not.
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/ex02_exp: write Exp.forward()")

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/ex02_exp: write Exp.backward()")
