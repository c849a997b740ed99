"""The leaves are made with torch.tensor(float(x)), which is float32, so f gets float32 tensors and the derivatives have only seven digits."""
from collections.abc import Callable

import torch


def derivative(f: Callable[..., torch.Tensor | float], *xs: float) -> float | tuple[float, ...]:
    leaves = [torch.tensor(float(x), requires_grad=True) for x in xs]
    out = f(*leaves)
    if not torch.is_tensor(out) or not out.requires_grad:
        grads = [0.0] * len(leaves)
    else:
        found = torch.autograd.grad(out, leaves, allow_unused=True)
        grads = [0.0 if g is None else g.item() for g in found]
    if len(grads) == 1:
        return grads[0]
    return tuple(grads)
