"""Uses backward(), which also adds to the .grad of every other leaf that f uses. torch.autograd.grad for x alone would leave them."""
from collections.abc import Callable

import torch


def vjp(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Return the gradient with respect to x of the sum of v * f(x), with v held constant.

    This is the vector-Jacobian product: element j of the result is the sum over all outputs i of
    v[i] * (derivative of output i with respect to x[j]).

    Shapes:
        x       any shape, floating point
        f(x)    any shape
        v       shape and dtype of f(x)
        result  shape and dtype of x; does not require grad

    Example:
        >>> x = torch.tensor([1.0, 2.0])
        >>> vjp(lambda x: x**2, x, torch.tensor([10.0, 1.0]))
        tensor([20.,  4.])

    Pitfall:
        f(x).sum() is the special case in which v is all ones.

    For full marks:
        * a v whose shape differs from that of f(x) raises a ValueError, even where the two could be broadcast
        * f may not depend on x, or return a tensor without history: zeros
        * x may require grad and have an old .grad: x, x.grad and x.requires_grad are the same afterwards
        * other tensors that f uses keep their .grad, and v counts as a constant even if it requires grad
        * f is called once, and you don't use torch.func or torch.autograd.functional, which contain this
    """
    leaf = x.detach().clone().requires_grad_(True)
    out = f(leaf)
    if tuple(out.shape) != tuple(v.shape):
        raise ValueError(f"v has shape {tuple(v.shape)}, f(x) has {tuple(out.shape)}")
    if not out.requires_grad:
        return torch.zeros_like(x)
    out.backward(gradient=v.detach())
    return torch.zeros_like(x) if leaf.grad is None else leaf.grad
