"""Functions 3 of 9: ReLU, and a decision about the kink.

Difficulty 2 of 5, about 10 minutes.
"""

import torch


class ReLU(torch.autograd.Function):
    """Return x where x is positive and 0 elsewhere, with its gradient.

    Call:
        ReLU.apply(x)   x any shape, float32 or float64
        result          shape, dtype and device of x, in memory of its own

    At the kink: the slope at x = 0 (and at -0.0) is 0. For x > 0 it is 1, for x < 0 it is 0.

    backward gets:
        grad            the gradient that arrives at the result, with the result's shape, dtype and device,
                        always finite. Its layout may be any: transposed, or every element in the same
                        memory, as after a sum. Other code uses it too: never write into it.

    backward returns one tensor with the shape, dtype and device of x. The grader calls
    `result.grad_fn.apply(grad)` and looks at exactly what you returned, not at x.grad.

    Edge cases:
        * x may be 0-dim, empty, transposed or expanded, and is never changed.
        * Plus infinity stays plus infinity, minus infinity becomes 0 (not nan). nan is not given.
        * backward may be called twice (retain_graph=True) and gives the same answer again.
        * The gradient can itself be differentiated with respect to grad (create_graph=True), and that is
          right.
        * Somebody may edit x or the result in place between forward and backward. Then backward either
          raises RuntimeError or still returns the right gradient; it is never silently wrong.
          ctx.save_for_backward gives you this; `ctx.x = x` does not.

    You may write forward(ctx, x), as below, or forward(x) together with setup_context(ctx, inputs, output).

    Example:
        >>> x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
        >>> y = ReLU.apply(x)
        >>> y.detach()
        tensor([0., 0., 2.])
        >>> y.backward(torch.tensor([5.0, 6.0, 7.0]))
        >>> x.grad
        tensor([0., 0., 7.])

    Pitfall:
        `grad[x <= 0] = 0` writes into a tensor that is not yours: other branches of the graph get the
        edited one.

    Not allowed: torch.relu in any spelling (torch.nn.ReLU, Tensor.relu_), torch.threshold and leaky_relu,
    which are the answer, and autograd inside forward and backward (torch.enable_grad, torch.autograd.grad,
    Tensor.backward, torch.func), since then PyTorch writes the rule that you are here to write.
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/ex03_relu: write ReLU.forward()")

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/ex03_relu: write ReLU.backward()")
