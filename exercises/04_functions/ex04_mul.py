"""Functions 4 of 9: multiplication with broadcasting, two inputs and two gradients.

Difficulty 3 of 5, about 15 minutes. Fast track.
"""

import torch


class Mul(torch.autograd.Function):
    """Return x * y with broadcasting, with the gradients of both.

    Call:
        Mul.apply(x, y) x and y any shapes that broadcast together, same dtype (float32 or float64), same
        device
        result          the broadcast shape, dtype and device of x, in memory of its own

    backward gets:
        grad            the gradient that arrives at the result, with the result's shape, dtype and device.
                        Its layout may be any: transposed, or every element in the same memory, as after a
                        sum. Other code uses it too: never write into it.

    backward returns two tensors, (grad_x, grad_y). grad_x has exactly the shape, dtype and device of x,
    grad_y those of y: sum over every axis that broadcasting stretched. PyTorch would silently sum a
    gradient that is too large, and torch.autograd.gradcheck would be content; so the grader calls
    `result.grad_fn.apply(grad)` and looks at exactly what you returned, not at x.grad. The entry of an
    input that requires no gradient is not looked at: it may be a tensor or None.

    Edge cases:
        * x and y may be 0-dim, empty, transposed or expanded, may be the same tensor, and are never
          changed.
        * Both may be stretched at once: (3, 1) times (2,) gives (3, 2). A stretched axis may have size 0.
        * backward may be called twice (retain_graph=True) and gives the same answer again.
        * The gradients can themselves be differentiated (create_graph=True), and the second derivatives are
          right.
        * Somebody may edit x, y or the result in place between forward and backward. Then backward either
          raises RuntimeError or still returns the right gradients; it is never silently wrong.
          ctx.save_for_backward gives you this; `ctx.x = x` does not.

    You may write forward(ctx, x, y), as below, or forward(x, y) together with setup_context(ctx, inputs,
    output).

    Example:
        >>> x = torch.tensor([[1.0], [2.0]], requires_grad=True)
        >>> y = torch.tensor([3.0, 4.0, 5.0], requires_grad=True)
        >>> grad_x, grad_y = Mul.apply(x, y).grad_fn.apply(torch.ones(2, 3))
        >>> grad_x.detach()
        tensor([[12.],
                [12.]])
        >>> grad_y.detach()
        tensor([3., 3., 3.])

    Pitfall:
        Returning `grad * y` and `grad * x` as they are: right for equal shapes, too large after
        broadcasting.

    Tensor.sum_to_size is allowed. Not allowed: autograd inside forward and backward (torch.enable_grad,
    torch.autograd.grad, Tensor.backward, torch.func), since then PyTorch writes the rule that you are here
    to write.
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/ex04_mul: write Mul.forward()")

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        raise NotImplementedError("04_functions/ex04_mul: write Mul.backward()")
