"""Optimizers 3 of 7: clear old gradients before they mix with new ones.

Difficulty 2 of 5, about 8 minutes.
"""

from collections.abc import Iterable

import torch


def zero_grads(params: Iterable[torch.Tensor], *, set_to_none: bool = True) -> None:
    """Clear the gradient of every parameter.

    With set_to_none=True, every .grad becomes None. The tensor that was the gradient keeps its numbers:
    other code may still hold it.
    With set_to_none=False, every .grad is filled with zeros in place: it stays the same tensor object.
    A .grad that is None stays None, in both modes.

    Example:
        >>> w = torch.tensor(2.0, requires_grad=True)
        >>> (w ** 2).backward()
        >>> zero_grads([w])
        >>> print(w.grad)
        None

    Pitfall:
        Before the first backward, .grad is None, and None has no zero_().

    For full marks:
        * params is any iterable, including a generator such as model.parameters(), which you can loop over only once.
        * nan and inf in a gradient become 0 too (set_to_none=False). A gradient may be non-contiguous.
        * A tensor with requires_grad False may still hold an old .grad: it is cleared like the others.
        * The parameters themselves keep their values and their requires_grad, and stay leaves.
    """
    raise NotImplementedError("05_optimizers/ex03_zero_grads: write zero_grads()")
