"""The Jacobian, one backward pass per output element."""

from collections.abc import Callable

import torch


def jacobian(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    """Return every partial derivative of f at x, the output's axes first."""
    leaf = x.detach().requires_grad_()
    y = f(leaf)
    elements = y.reshape(-1)
    rows = torch.zeros((y.numel(), *x.shape), dtype=x.dtype, device=x.device)
    if y.requires_grad:
        for i in range(y.numel()):
            one_hot = torch.zeros_like(elements)
            one_hot[i] = 1
            grads = torch.autograd.grad(elements, leaf, one_hot, retain_graph=True, materialize_grads=True)
            rows[i] = grads[0]
    return rows.reshape(y.shape + x.shape)
