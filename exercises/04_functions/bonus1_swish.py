"""Functions bonus 1: Swish, an activation with a learnable number.

Difficulty 3 of 5, about 15 minutes.
"""

import torch


class Swish(torch.autograd.Function):
    """Return x times the sigmoid of beta * x, with the gradients of x and beta.

    Call:
        Swish.apply(x, beta)
        x           any shape, float32 or float64
        beta        0-dim, dtype and device of x
        result      shape, dtype and device of x, in memory of its own

    backward gets:
        grad        the gradient that arrives at the result, with the result's shape, dtype and device. Its
                    layout may be any: transposed, or every element in the same memory, as after a sum.
                    Other code uses it too: never write into it.

    backward returns two tensors: the gradient of x, with the shape of x, and the gradient of beta, 0-dim:
    one number for all elements together. The entry of an input that requires no gradient is not looked at:
    it may be a tensor or None. The grader calls `result.grad_fn.apply(grad)` and looks at exactly what you
    returned, not at x.grad.

    Edge cases:
        * x may be 0-dim, empty (the gradient of beta is then 0), transposed or expanded. x and beta are
          never changed.
        * x of 10000 and -10000 with beta between -2 and 2 gives neither inf nor nan, in the result or the
          gradients.
        * backward may be called twice (retain_graph=True) and gives the same answer again.
        * The gradients can themselves be differentiated (create_graph=True), and the second derivatives are
          right. PyTorch follows saved inputs and outputs, but takes any other saved tensor, such as the
          sigmoid, for a constant.
        * Somebody may edit x, beta or the result in place between forward and backward. Then backward
          either raises RuntimeError or still returns the right gradients; it is never silently wrong.
          ctx.save_for_backward gives you this; `ctx.x = x` does not.

    You may write forward(ctx, x, beta), as below, or forward(x, beta) together with
    setup_context(ctx, inputs, output).

    Example:
        >>> x = torch.tensor([0.0, 2.0], requires_grad=True)
        >>> beta = torch.tensor(0.0, requires_grad=True)
        >>> y = Swish.apply(x, beta)
        >>> y.detach()
        tensor([0., 1.])
        >>> y.backward(torch.tensor([1.0, 10.0]))
        >>> x.grad
        tensor([0.5000, 5.0000])
        >>> beta.grad
        tensor(10.)

    Pitfall:
        Saving the sigmoid to save time: the first derivative is right, the second is silently wrong.

    torch.sigmoid is allowed. Not allowed: torch.nn.functional.silu and torch.nn.SiLU, which are the answer
    for beta = 1, and autograd inside forward and backward (torch.enable_grad, torch.autograd.grad,
    Tensor.backward, torch.func), since then PyTorch writes the rule that you are here to write.
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/bonus1_swish: write Swish.forward()")

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        raise NotImplementedError("04_functions/bonus1_swish: write Swish.backward()")
