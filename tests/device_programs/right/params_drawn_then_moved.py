"""Exercise: 03_autograd/ex02_leaf_params.
Numbers are drawn on the CPU, moved, and only then asked to require grad.
"""

import torch


def make_params(shapes, generator, scale=0.1, dtype=None, device=None):
    params = {}
    for name, shape in shapes.items():
        if name.endswith("bias"):
            t = torch.zeros(shape, dtype=dtype, device=device or "cpu")
        else:
            t = torch.randn(shape, generator=generator, dtype=dtype, device="cpu").mul_(scale).to(device or "cpu")
        params[name] = t.requires_grad_()
    return params
