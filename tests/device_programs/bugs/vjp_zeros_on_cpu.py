"""Exercise: 03_autograd/ex04_vjp.
Where f does not depend on x, the zeros are made on the CPU.
"""

import torch


def vjp(f, x, v):
    with torch.enable_grad():
        leaf = x.detach().clone().requires_grad_()
        out = f(leaf)
    if out.shape != v.shape:
        raise ValueError(f"v has shape {tuple(v.shape)}, f(x) has {tuple(out.shape)}")
    if not out.requires_grad:
        return torch.zeros(x.shape, dtype=x.dtype)
    (grad,) = torch.autograd.grad(out, leaf, v.detach(), allow_unused=True)
    if grad is None:
        return torch.zeros(x.shape, dtype=x.dtype)
    return grad
