"""Optimizers 4 of 7: one step of gradient descent, in place.

Difficulty 2 of 5, about 8 minutes.
"""

from collections.abc import Iterable

import torch


def sgd_step_(params: Iterable[torch.Tensor], lr: float) -> None:
    """Move every parameter against its gradient, in place, by lr times the gradient.

    The new value of a parameter p is p - lr * p.grad.
    A parameter whose .grad is None is skipped.
    Each parameter stays the same tensor in the same memory, and a leaf that requires grad.
    The step only reads .grad: clearing it is a separate job.

    Example:
        >>> w = torch.tensor([1.0, 5.0], requires_grad=True)
        >>> w.grad = torch.tensor([10.0, -10.0])
        >>> sgd_step_([w], lr=0.1)
        >>> w
        tensor([0., 6.], requires_grad=True)

    Pitfall:
        p = p - lr * p.grad makes a new tensor and gives it the name p. The parameter itself has not moved.

    Not allowed: torch.optim (then this exercise is not done). Write the step yourself: it is one line.

    For full marks:
        * params is any iterable, including a generator such as model.parameters().
        * Parameters and gradients may have any shape, () too, and may be non-contiguous.
        * The function works with grad mode on or off, and leaves it as it found it.
    """
    raise NotImplementedError("05_optimizers/ex04_sgd_step: write sgd_step_()")
