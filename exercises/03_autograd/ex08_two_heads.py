"""Autograd 8 of 10: two losses, one forward pass, two separate gradients.

Difficulty 3 of 5, about 10 minutes.
"""

from collections.abc import Callable

import torch


def two_heads(
    trunk: Callable[[torch.Tensor], torch.Tensor],
    head_a: Callable[[torch.Tensor], torch.Tensor],
    head_b: Callable[[torch.Tensor], torch.Tensor],
    w: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the gradients of head_a's loss and of head_b's loss with respect to w, separately.

    Shapes:
        w                         any shape, floating point
        trunk(w)                  any shape; both heads are given this same output
        head_a(...), head_b(...)  a 0-dim tensor each: the two losses
        result                    two tensors with the shape and dtype of w; neither requires grad

    trunk and heads are called exactly once each. When you return, the trunk's graph has been freed: another
    backward pass from its output raises a RuntimeError.

    Example:
        >>> w = torch.tensor([1.0, 2.0])
        >>> two_heads(lambda w: w**2, lambda h: h.sum(), lambda h: h[0] * h[1], w)
        (tensor([2., 4.]), tensor([8., 4.]))

    Pitfall:
        backward adds to .grad. Two backward passes in a row leave the sum of both gradients in one tensor.

    For full marks:
        * a head that does not use the trunk's output (its loss may have no history at all) gives zeros
        * w may require grad and have an old .grad: w, w.grad and w.requires_grad are the same afterwards
        * other tensors that trunk or the heads use keep their .grad
        * the two results share no memory
    """
    raise NotImplementedError("03_autograd/ex08_two_heads: write two_heads()")
