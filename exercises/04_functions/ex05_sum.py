"""Functions 5 of 9: a sum over chosen axes, and arguments that are not tensors.

Difficulty 3 of 5, about 15 minutes.
"""

import torch


class Sum(torch.autograd.Function):
    """Return the sum of x over the given axes, with its gradient.

    Call:
        Sum.apply(x, dim, keepdim)      all three are always given, by position
        x           any shape, float32 or float64
        dim         None (all axes), an int, or a tuple of one or more different ints in any order; ints may
                    be negative
        keepdim     True: summed axes stay with size 1. False: they disappear.
        result      shape of x.sum(dim, keepdim=keepdim), dtype and device of x, in memory of its own

    backward gets:
        grad        the gradient that arrives at the result, with the result's shape, dtype and device. Its
                    layout may be any: transposed, or every element in the same memory, as after a sum.
                    Other code uses it too: never write into it.

    backward returns three things, one for each argument of apply, in that order: the gradient of x, with
    exactly the shape, dtype and device of x, then None and None, since dim and keepdim have no gradient.
    The gradient of x may be an expanded view of grad or a copy. The grader calls
    `result.grad_fn.apply(grad)` and looks at exactly what you returned, not at x.grad.

    Edge cases:
        * x may be empty, transposed or expanded, axes may have size 1 or 0, and x is never changed. The sum
          of nothing is 0.
        * A 0-dim x comes with dim None only.
        * backward may be called twice (retain_graph=True) and gives the same answer again.
        * The gradient can itself be differentiated with respect to grad (create_graph=True), and that is
          right.
        * Somebody may edit x or the result in place between forward and backward. The gradient of a sum
          does not depend on them, so backward must not raise and must still be right: keep x's shape (a
          plain tuple such as ctx.shape = x.shape), not x.

    You may write forward(ctx, x, dim, keepdim), as below, or forward(x, dim, keepdim) together with
    setup_context(ctx, inputs, output).

    Example:
        >>> x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
        >>> y = Sum.apply(x, 1, False)
        >>> y.detach()
        tensor([ 6., 15.])
        >>> y.backward(torch.tensor([10.0, 20.0]))
        >>> x.grad
        tensor([[10., 10., 10.],
                [20., 20., 20.]])

    Pitfall:
        With keepdim False, expanding grad to x's shape right away. Broadcasting lines shapes up from the
        right: on a square x this runs and puts the numbers along the wrong axis.

    Tensor.sum is allowed. Not allowed: autograd inside forward and backward (torch.enable_grad,
    torch.autograd.grad, Tensor.backward, torch.func), since then PyTorch writes the rule that you are here
    to write.
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor, dim: int | tuple[int, ...] | None, keepdim: bool) -> torch.Tensor:
        raise NotImplementedError("04_functions/ex05_sum: write Sum.forward()")

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        raise NotImplementedError("04_functions/ex05_sum: write Sum.backward()")
