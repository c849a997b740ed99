"""Functions 2 of 9: your first autograd Function, the exponential.

Difficulty 2 of 5, about 10 minutes.
"""

import torch


class Exp(torch.autograd.Function):
    """Return e to the power x, element by element, with its gradient.

    Call:
        Exp.apply(x)    x any shape, float32 or float64
        result          shape, dtype and device of x, in memory of its own

    backward gets:
        grad            the gradient that arrives at the result, with the result's shape, dtype and device.
                        Its layout may be any: transposed, or every element in the same memory, as after a
                        sum. Other code uses it too: never write into it.

    backward returns one tensor with the shape, dtype and device of x. The grader calls
    `result.grad_fn.apply(grad)` and looks at exactly what you returned, not at x.grad.

    Edge cases:
        * x may be 0-dim, empty, transposed or expanded, and is never changed.
        * backward may be called twice (retain_graph=True) and gives the same answer again.
        * The gradient can itself be differentiated (create_graph=True), and the second derivative is right.
        * Somebody may edit x or the result in place between forward and backward. Then backward either
          raises RuntimeError or still returns the right gradient; it is never silently wrong.
          ctx.save_for_backward gives you this; `ctx.y = y` does not. Save only x or the result themselves,
          no other intermediate value.

    You may write forward(ctx, x), as below, or forward(x) together with setup_context(ctx, inputs, output).

    Example:
        >>> x = torch.tensor([0.0, 1.0], requires_grad=True)
        >>> y = Exp.apply(x)
        >>> y.detach()
        tensor([1.0000, 2.7183])
        >>> y.backward(torch.tensor([10.0, 1.0]))
        >>> x.grad
        tensor([10.0000,  2.7183])

    Pitfall:
        Returning the slope alone. It must be multiplied by grad; with y.sum().backward() grad is all ones,
        and nobody notices.

    Not allowed: autograd inside forward and backward (torch.enable_grad, torch.autograd.grad,
    Tensor.backward, torch.func), since then PyTorch writes the rule that you are here to write. torch.exp
    itself is allowed.
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/ex02_exp: write Exp.forward()")

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/ex02_exp: write Exp.backward()")
