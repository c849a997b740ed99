"""Functions bonus 2: gradients that are not the derivative, on purpose.

Difficulty 2 of 5, about 10 minutes.
"""

import torch


class GradReverse(torch.autograd.Function):
    """Return x as it is, but multiply its gradient by -scale.

    Put between a feature extractor and a classifier, it makes the extractor unlearn what the classifier
    learns.

    Call:
        GradReverse.apply(x, scale)
        x           any shape, float32 or float64
        scale       a Python number
        result      the numbers of x, its shape, dtype and device

    backward gets grad and returns two values: -scale * grad, and None for scale.

    forward(x, scale) with setup_context is fine too.

    Example:
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> y = GradReverse.apply(x, 0.5)
        >>> y.detach()
        tensor([1., 2.])
        >>> y.backward(torch.tensor([10.0, 20.0]))
        >>> x.grad
        tensor([ -5., -10.])

    Pitfall:
        forward takes two arguments, so backward returns two values. scale has no gradient: return None for it.

    Not allowed: autograd inside forward and backward (torch.enable_grad, torch.autograd.grad,
    Tensor.backward, torch.func) (then this exercise is not done), because backward is what you write here.

    For full marks:
        * The result may be edited in place afterwards, as torch.nn.ReLU(inplace=True) does: x stays as it
          was, nothing raises, and the gradient is still reversed. An edit of x does no harm either. If forward
          returns x itself, PyTorch makes a view of it, and an edit of that view raises an error.
        * x may be 0-dim, empty, transposed or expanded. scale may be 0.
        * grad may be transposed or expanded. backward never writes into it: other code uses it too.
        * backward may be called twice (retain_graph=True) and gives the same answer again.
        * The gradient can be differentiated with respect to grad (create_graph=True).
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor, scale: float) -> torch.Tensor:
        raise NotImplementedError("04_functions/bonus2_grad_reverse: write GradReverse.forward()")

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        raise NotImplementedError("04_functions/bonus2_grad_reverse: write GradReverse.backward()")


class SignSTE(torch.autograd.Function):
    """Return 1 where x is at least 0 and -1 elsewhere, but pass gradients through where x is small.

    The true derivative is 0 almost everywhere, so nothing would learn; the straight-through rule is used instead.

    Call:
        SignSTE.apply(x)
        x           any shape, float32 or float64
        result      shape, dtype and device of x, only 1 and -1; 0 gives 1

    backward gets grad and returns grad where -1 <= x <= 1 (both ends included), 0 elsewhere.

    forward(x) with setup_context is fine too.

    Example:
        >>> x = torch.tensor([-3.0, -0.5, 0.0, 1.0], requires_grad=True)
        >>> y = SignSTE.apply(x)
        >>> y.detach()
        tensor([-1., -1.,  1.,  1.])
        >>> y.backward(torch.tensor([5.0, 6.0, 7.0, 8.0]))
        >>> x.grad
        tensor([0., 6., 7., 8.])

    Pitfall:
        torch.sign gives 0 at 0, a third value.

    Not allowed: autograd inside forward and backward (then this exercise is not done), as above.

    For full marks:
        * x may be 0-dim, empty, transposed or expanded, and is never changed.
        * grad may be transposed or expanded. backward never writes into it: other code uses it too.
        * backward may be called twice (retain_graph=True) and gives the same answer again.
        * The gradient can be differentiated with respect to grad (create_graph=True).
        * After an in-place edit of x or the result, backward raises RuntimeError or is still right.
          ctx.save_for_backward gives you this; `ctx.x = x` does not.
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/bonus2_grad_reverse: write SignSTE.forward()")

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("04_functions/bonus2_grad_reverse: write SignSTE.backward()")
