"""Exercise: 03_autograd/ex02_leaf_params.
The .to(device) of each parameter is not assigned.
"""

import torch


def make_params(shapes, generator, scale=0.1, dtype=None, device=None):
    params = {}
    for name, shape in shapes.items():
        if name.endswith("bias"):
            t = torch.zeros(shape, dtype=dtype, device="cpu")
        else:
            t = scale * torch.randn(shape, generator=generator, dtype=dtype, device="cpu")
        if device is not None:
            t.to(device)
        params[name] = t.detach().requires_grad_()
    return params
