"""Exercise: 03_autograd/ex05_jacobian.
The rows are written into zeros on the CPU: each copy is legal, and the result is on the wrong device.
"""

import torch


def jacobian(f, x):
    with torch.enable_grad():
        leaf = x.detach().clone().requires_grad_()
        out = f(leaf)
    J = torch.zeros(out.numel(), *x.shape, dtype=x.dtype)
    if out.requires_grad:
        for i in range(out.numel()):
            with torch.enable_grad():
                element = out.reshape(-1)[i]
            (row,) = torch.autograd.grad(element, leaf, retain_graph=True, allow_unused=True)
            if row is not None:
                J[i] = row
    return J.reshape((*out.shape, *x.shape))
