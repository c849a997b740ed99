"""Optimizers bonus 1: shorten gradients that are too long.

Difficulty 3 of 5, about 12 minutes.
"""

from collections.abc import Iterable

import torch


def clip_grad_norm_(params: Iterable[torch.Tensor], max_norm: float) -> torch.Tensor:
    """Scale all gradients together, in place, so that their common norm is at most max_norm.

    The norm is that of one long vector made of all gradients: the square root of the sum of all squared
    elements. The scale is max_norm / (norm + 1e-6). If it is below 1, every gradient is multiplied by it;
    otherwise the gradients are unchanged.
    A tensor whose .grad is None is ignored.

    Shapes:
        params    tensors of any shapes; their gradients have one floating dtype and one device
        max_norm  a Python number, 0 or more
        result    (), the norm before scaling, dtype and device of the gradients, no graph

    Example:
        >>> w = torch.zeros(2, requires_grad=True)
        >>> w.grad = torch.tensor([30.0, 40.0])
        >>> clip_grad_norm_([w], max_norm=5.0)
        tensor(50.)
        >>> w.grad
        tensor([3.0000, 4.0000])

    Pitfall:
        Clipping each tensor by its own norm changes the direction of the whole gradient, not only its length.

    Not allowed: torch.nn.utils (then this exercise is not done). Write out norm and scale yourself.

    For full marks:
        * params is any iterable, including a generator such as model.parameters(), which you can loop over only once.
        * With no gradient at all, the result is torch.tensor(0.0).
        * All gradients zero: they stay zero and the result is 0. With max_norm 0 all gradients become 0.
        * Tiny gradients are scaled like others, and the 1e-6 shows.
        * Gradients may be non-contiguous, 0-dim or empty.
    """
    raise NotImplementedError("05_optimizers/bonus1_clip_grad_norm: write clip_grad_norm_()")
