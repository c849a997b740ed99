"""Optimizers 4 of 7: one step of gradient descent, in place.

Difficulty 2 of 5, about 8 minutes.
"""

from collections.abc import Iterable

import torch


def sgd_step_(params: Iterable[torch.Tensor], lr: float) -> None:
    """Move every parameter against its gradient, in place, by lr times the gradient.

    The new value of a parameter p is p - lr * p.grad.

    Edge cases:
        A parameter whose .grad is None is skipped. Nothing else decides: whoever has a .grad is moved, also
        when its requires_grad is False.
        params is any iterable: a list, or a generator such as model.parameters(). It may be empty. No
        parameter appears twice.
        Each parameter stays the same object with the same memory (a view of it sees the step too), the same
        requires_grad, and it is still a leaf without a graph (grad_fn is None).
        The .grad stays the same tensor with the same numbers: clearing it is not the job of the step.
        Parameters may have any shape, () too, and may be non-contiguous;
        float32 and float64 keep their dtype.
        The function may be called with gradient recording on or off, and leaves that setting as it found it.

    Returns None.

    Example:
        >>> w = torch.tensor([1.0, 5.0], requires_grad=True)
        >>> w.grad = torch.tensor([10.0, -10.0])
        >>> sgd_step_([w], lr=0.1)
        >>> w
        tensor([0., 6.], requires_grad=True)

    Pitfall:
        p = p - lr * p.grad makes a new tensor and gives it the name p. The parameter itself has not moved.

    Not allowed: torch.optim; the point is to see that a step is one line.
    """
    raise NotImplementedError("05_optimizers/ex04_sgd_step: write sgd_step_()")
