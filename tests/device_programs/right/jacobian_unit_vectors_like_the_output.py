"""Exercise: 03_autograd/ex05_jacobian.
The unit vectors and the zeros are made like the tensors that they meet.
"""

import torch


def jacobian(f, x):
    with torch.enable_grad():
        leaf = x.detach().clone().requires_grad_()
        out = f(leaf)
    J = x.new_zeros((out.numel(), *x.shape))
    if out.requires_grad:
        for i in range(out.numel()):
            unit = torch.zeros(out.numel(), dtype=out.dtype, device=out.device)
            unit[i] = 1
            (row,) = torch.autograd.grad(out, leaf, unit.view(out.shape), retain_graph=True, allow_unused=True)
            if row is not None:
                J[i] = row
    return J.reshape((*out.shape, *x.shape))
