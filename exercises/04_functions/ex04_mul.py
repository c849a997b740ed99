"""Functions 4 of 9: multiplication with broadcasting, two inputs and two gradients.

Difficulty 3 of 5, about 15 minutes. Fast track.
"""

import torch


class Mul(torch.autograd.Function):
    """Return x * y with broadcasting, with the gradients of both.

    Call:
        Mul.apply(x, y) x and y any shapes that broadcast together, same dtype (float32 or float64) and device
        result          the broadcast shape, dtype and device of x

    backward gets grad, the upstream gradient, and returns two tensors, (grad_x, grad_y).
    grad_x has exactly the shape of x, grad_y that of y: sum over every axis that broadcasting expanded.
    PyTorch would silently sum a gradient that is too large; the grader looks at what backward returned.

    forward(x, y) with setup_context is fine too.

    Example:
        >>> x = torch.tensor([[1.0], [2.0]], requires_grad=True)
        >>> y = torch.tensor([3.0, 4.0, 5.0], requires_grad=True)
        >>> result = Mul.apply(x, y)
        >>> grad_x, grad_y = result.grad_fn.apply(torch.ones(2, 3))
        >>> grad_x.detach()
        tensor([[12.],
                [12.]])
        >>> grad_y.detach()
        tensor([3., 3., 3.])

    Pitfall:
        Returning `grad * y` and `grad * x` as they are: right for equal shapes, too large after
        broadcasting.

    Tensor.sum_to_size is allowed. Not allowed: autograd inside forward and backward (torch.enable_grad,
    torch.autograd.grad, Tensor.backward, torch.func) (then this exercise is not done): write the rule
    yourself.

    For full marks:
        * x and y may be 0-dim, empty, transposed or expanded, and an expanded axis may have size 0. They
          are never changed, and the result has its own memory.
        * grad may be transposed or expanded. backward never writes into it: other code uses it too.
        * backward may be called twice (retain_graph=True) and gives the same answer again.
        * The gradients can be differentiated again (create_graph=True), and the second derivatives are right,
          even where x and y are the same tensor.
        * After an in-place edit of x, y or the result, backward raises RuntimeError or is still right.
          ctx.save_for_backward gives you this; `ctx.x = x` does not.
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/ex04_mul: write Mul.forward()")

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        raise NotImplementedError("04_functions/ex04_mul: write Mul.backward()")
