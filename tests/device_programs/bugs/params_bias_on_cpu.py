"""Exercise: 03_autograd/ex02_leaf_params.
The drawn parameters are moved, the zeros of the biases are not.
"""

import torch


def make_params(shapes, generator, scale=0.1, dtype=None, device=None):
    params = {}
    for name, shape in shapes.items():
        if name.endswith("bias"):
            t = torch.zeros(shape, dtype=dtype, device="cpu")
        else:
            t = torch.randn(shape, generator=generator, dtype=dtype, device="cpu") * scale
            t = t.to(device or "cpu")
        t.requires_grad_(True)
        params[name] = t
    return params
