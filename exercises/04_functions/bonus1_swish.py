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
        result      shape, dtype and device of x

    backward gets grad, the upstream gradient, and returns two tensors: the gradient of x,
    with the shape of x, and the gradient of beta, 0-dim: one number for all elements.

    forward(x, beta) with setup_context is fine too.

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
        x occurs twice, before the sigmoid and inside it. So its derivative has two terms.

    torch.sigmoid and tanh are allowed. Not allowed: torch.nn.functional.silu, torch.nn.SiLU (also glu and
    any other activation), and autograd inside forward and backward (torch.enable_grad, torch.autograd.grad,
    Tensor.backward, torch.func) (then this exercise is not done): write the rule yourself.

    For full marks:
        * x may be 0-dim, empty (the gradient of beta is then 0), transposed or expanded. x and beta are
          never changed, and the result has its own memory.
        * x of 10000 and -10000 with beta between -2 and 2 gives neither inf nor nan, in the result or the
          gradients.
        * grad may be transposed or expanded. backward never writes into it: other code uses it too.
        * backward may be called twice (retain_graph=True) and gives the same answer again.
        * The gradients can be differentiated again (create_graph=True), and the second derivatives are right.
          PyTorch follows saved inputs and outputs, but treats any other saved tensor, such as the sigmoid, as
          a constant.
        * After an in-place edit of x, beta or the result, backward raises RuntimeError or is still right.
          ctx.save_for_backward gives you this; `ctx.x = x` does not.
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/bonus1_swish: write Swish.forward()")

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        raise NotImplementedError("04_functions/bonus1_swish: write Swish.backward()")
