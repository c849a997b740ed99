"""Functions 5 of 9: a sum over chosen axes, and arguments that are not tensors.

Difficulty 3 of 5, about 15 minutes.
"""

import torch


class Sum(torch.autograd.Function):
    """Return the sum of x over the given axis, or over all axes, with its gradient.

    Call:
        Sum.apply(x, dim, keepdim)      all three are always given, by position
        x           any shape, float32 or float64
        dim         None (all axes) or an int
        keepdim     True: summed axes stay with size 1. False: they disappear.
        result      shape of x.sum(dim, keepdim=keepdim), dtype and device of x

    backward gets grad, the upstream gradient, and returns three values, one for each
    argument of apply: the gradient of x, with exactly the shape of x, then None and None, since dim and
    keepdim have no gradient. The gradient of x may be an expanded view of grad or a copy.

    forward(x, dim, keepdim) with setup_context is fine too.

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
    torch.autograd.grad, Tensor.backward, torch.func) (then this exercise is not done): write the rule
    yourself.

    For full marks:
        * dim may also be 0, negative, or a tuple of different ints in any order.
        * x may be 0-dim (with dim None only), empty, transposed or expanded, and is never changed, and the
          result has its own memory.
        * grad may be transposed or expanded. backward never writes into it: other code uses it too.
        * backward may be called twice (retain_graph=True) and gives the same answer again.
        * The gradient can be differentiated with respect to grad (create_graph=True).
        * An in-place edit of x or the result does no harm: backward needs x's shape, not x, and doesn't
          keep x alive.
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor, dim: int | tuple[int, ...] | None, keepdim: bool) -> torch.Tensor:
        raise NotImplementedError("04_functions/ex05_sum: write Sum.forward()")

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        raise NotImplementedError("04_functions/ex05_sum: write Sum.backward()")
