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
    """Return the gradients of head_a's loss and of head_b's loss with respect to w, apart.

    Shapes:
        w                        any shape, floating point
        trunk(w)                 any shape; both heads are given this same output
        head_a(...), head_b(...) a 0-dim tensor each: the two losses
        result                   two tensors, each with the shape, dtype and device of w; neither requires
                                 grad, and they share no memory with each other or with w

    Rules:
        - trunk, head_a and head_b are called exactly once each, and change nothing that they are given.
        - When you return, the trunk's graph has been freed: one more backward pass from the trunk's output
          raises a RuntimeError. (If a head does not use the trunk's output, this is not looked at.)
        - w, w.grad and w.requires_grad are the same afterwards; w may require grad or not, and be a leaf or
          not. trunk may be given w itself or a stand-in with the same values.
        - Other tensors that trunk or the heads use keep their .grad.

    Edge cases:
        - A head that does not use the trunk's output (its loss may have no history at all) gives zeros.
        - A trunk or head that only adds saves nothing for backward; the answer is right there too.
        - Called inside torch.no_grad(), the answer is the same, and recording is still off afterwards.

    Example:
        >>> w = torch.tensor([1.0, 2.0])
        >>> two_heads(lambda w: w**2, lambda h: h.sum(), lambda h: h[0] * h[1], w)
        (tensor([2., 4.]), tensor([8., 4.]))

    Pitfall:
        backward adds to .grad. Two backward passes in a row leave the sum of both gradients in one tensor.
    """
    raise NotImplementedError("03_autograd/ex08_two_heads: write two_heads()")
