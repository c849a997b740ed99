"""Exercise: 03_autograd/ex02_leaf_params.
torch.randn draws on the device with a generator of the CPU.
"""

import torch


def make_params(shapes, generator, scale=0.1, dtype=None, device=None):
    device = device or "cpu"
    params = {}
    for name, shape in shapes.items():
        if name.endswith("bias"):
            t = torch.zeros(shape, dtype=dtype, device=device)
        else:
            t = scale * torch.randn(shape, generator=generator, dtype=dtype, device=device)
        params[name] = t.requires_grad_()
    return params
