"""Functions 6 of 9: the linear layer, three gradients and only those that are needed.

Difficulty 4 of 5, about 15 minutes.
"""

import torch


class LinearFunction(torch.autograd.Function):
    """Return x times the transposed weight, plus bias, with all three gradients.

    Call:
        LinearFunction.apply(x, weight, bias)       all three are always given, by position
        x           (batch, inputs)     float32 or float64
        weight      (outputs, inputs)   dtype and device of x
        bias        (outputs,)          dtype and device of x
        result      (batch, outputs)    dtype and device of x

    backward gets grad, the upstream gradient, and returns three values, one for each argument
    of apply, in that order:
        grad_x          (batch, inputs)
        grad_weight     (outputs, inputs)   summed over all rows of x, not averaged
        grad_bias       (outputs,)          summed over all rows of x, not averaged

    forward(x, weight, bias) with setup_context is fine too.

    Example:
        >>> x = torch.tensor([[1.0, 2.0]])
        >>> weight = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], requires_grad=True)
        >>> y = LinearFunction.apply(x, weight, torch.zeros(3))
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

    Not allowed: torch.nn.functional.linear, torch.nn.functional.bilinear, torch.nn.Linear, and autograd
    inside forward and backward (torch.enable_grad, torch.autograd.grad, Tensor.backward, torch.func) (then
    this exercise is not done): write the rule yourself.

    For full marks:
        * bias may be None: it adds nothing, and its entry is None.
        * An input that needs no gradient gets None and costs no work in backward. ctx.needs_input_grad has
          one True or False for each argument.
        * x may be (..., inputs) with any leading axes, or none (result (outputs,)). With no rows the
          weight gets zeros.
        * x, weight and bias may be transposed, sliced or expanded, and are never changed.
        * grad may be transposed or expanded. backward never writes into it: other code uses it too.
        * backward may be called twice (retain_graph=True) and gives the same answer again.
        * The gradients can be differentiated again (create_graph=True), and the second derivatives are
          right.
        * After an in-place edit of x, weight, bias or the result (an optimizer step edits the weight),
          backward raises RuntimeError or is still right. ctx.save_for_backward gives you this; `ctx.weight
          = weight` does not.
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
        raise NotImplementedError("04_functions/ex06_linear_function: write LinearFunction.forward()")

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        raise NotImplementedError("04_functions/ex06_linear_function: write LinearFunction.backward()")
