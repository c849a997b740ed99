"""Functions 6 of 9: the linear layer, three gradients and only those that are needed.

Difficulty 4 of 5, about 15 minutes.
"""

import torch


class LinearFunction(torch.autograd.Function):
    """Return x times the transposed weight, plus bias, with all three gradients.

    Call:
        LinearFunction.apply(x, weight, bias)       all three are always given, by position
        x           (..., inputs)       one axis or more, float32 or float64
        weight      (outputs, inputs)   dtype and device of x
        bias        (outputs,) or None  dtype and device of x; None adds nothing
        result      (..., outputs)      dtype and device of x, in memory of its own

    inputs and outputs are at least 1; the sizes in front may be anything, 0 too.

    backward gets:
        grad        the gradient that arrives at the result, with the result's shape, dtype and device. Its
                    layout may be any: transposed, or every element in the same memory, as after a sum.
                    Other code uses it too: never write into it.

    backward returns three things, one for each argument of apply, in that order:
        grad_x          shape of x
        grad_weight     (outputs, inputs)   summed over all rows of x, not averaged
        grad_bias       (outputs,)          summed over all rows of x, not averaged
    each with the dtype and device of its input, and None for an input that needs no gradient
    (ctx.needs_input_grad has one True or False for each argument; a bias of None needs none). A layer whose
    weights are frozen should not pay for their gradients. The grader calls `result.grad_fn.apply(grad)` and
    looks at exactly what you returned, not at x.grad.

    Edge cases:
        * x may be 1-D: one row, result (outputs,). It may be 3-D or more. With no rows the weight gets
          zeros.
        * x, weight and bias may be transposed, sliced or expanded and are never changed.
        * backward may be called twice (retain_graph=True) and gives the same answer again.
        * The gradients can themselves be differentiated (create_graph=True), and the second derivatives are
          right.
        * Somebody may edit x, weight, bias or the result in place between forward and backward (an
          optimizer step does this to the weight). Then backward either raises RuntimeError or still returns
          the right gradients; it is never silently wrong. ctx.save_for_backward gives you this; `ctx.weight
          = weight` does not.

    You may write forward(ctx, x, weight, bias), as below, or forward(x, weight, bias) together with
    setup_context(ctx, inputs, output).

    Example:
        >>> x = torch.tensor([[1.0, 2.0]])
        >>> weight = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], requires_grad=True)
        >>> y = LinearFunction.apply(x, weight, None)
        >>> y.detach()
        tensor([[1., 2., 3.]])
        >>> y.backward(torch.tensor([[1.0, 0.0, 10.0]]))
        >>> weight.grad
        tensor([[ 1.,  2.],
                [ 0.,  0.],
                [10., 20.]])

    Pitfall:
        `x.T @ grad` has shape (inputs, outputs). While the layer is square, the wrong one fits and training
        just goes badly. Write the shapes down first.

    Not allowed: torch.nn.functional.linear, torch.nn.functional.bilinear and torch.nn.Linear, which are the
    answer, and autograd inside forward and backward (torch.enable_grad, torch.autograd.grad,
    Tensor.backward, torch.func), since then PyTorch writes the rule that you are here to write. matmul, @,
    einsum, addmm are fine.
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
        raise NotImplementedError("04_functions/ex06_linear_function: write LinearFunction.forward()")

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        raise NotImplementedError("04_functions/ex06_linear_function: write LinearFunction.backward()")
