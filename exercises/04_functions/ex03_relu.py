"""Functions 3 of 9: ReLU, and a decision about the kink.

Difficulty 2 of 5, about 10 minutes.
"""

import torch


class ReLU(torch.autograd.Function):
    """Return x where x is positive and 0 elsewhere, with its gradient.

    Call:
        ReLU.apply(x)   x any shape, float32 or float64
        result          shape, dtype and device of x

    The derivative is 1 for x > 0 and 0 for x < 0. At the kink, x = 0, it is 0 too.
    backward gets grad, the upstream gradient, and returns one tensor with the shape, dtype
    and device of x: the derivative times grad.

    forward(x) with setup_context is fine too.

    Example:
        >>> x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
        >>> y = ReLU.apply(x)
        >>> y.detach()
        tensor([0., 0., 2.])
        >>> y.backward(torch.tensor([5.0, 6.0, 7.0]))
        >>> x.grad
        tensor([0., 0., 7.])

    Pitfall:
        The mask x >= 0 lets the gradient pass at the kink.

    Not allowed: torch.relu in any spelling (torch.nn.ReLU, Tensor.relu_), torch.threshold, leaky_relu (also
    hardtanh, elu and any other activation; arithmetic, comparisons, clamp, maximum and where are fine), and
    autograd inside forward and backward (torch.enable_grad, torch.autograd.grad, Tensor.backward,
    torch.func) (then this exercise is not done): write the rule yourself.

    For full marks:
        * x may be 0-dim, empty, transposed or expanded, and is never changed, and the result has its own
          memory.
        * Plus infinity stays plus infinity; minus infinity becomes 0 (not nan).
        * grad may be transposed or expanded. backward never writes into it, as `grad[x <= 0] = 0` does: other
          branches of the graph get the edited one.
        * backward may be called twice (retain_graph=True) and gives the same answer again.
        * The gradient can be differentiated with respect to grad (create_graph=True).
        * After an in-place edit of x or the result, backward raises RuntimeError or is still right.
          ctx.save_for_backward gives you this; `ctx.x = x` does not.
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/ex03_relu: write ReLU.forward()")

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/ex03_relu: write ReLU.backward()")
