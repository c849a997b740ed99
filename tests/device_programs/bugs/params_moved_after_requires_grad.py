"""Exercise: 03_autograd/ex02_leaf_params.
requires_grad comes before .to(device): what arrives on the device is the result of an operation, no leaf.
"""

import torch


def make_params(shapes, generator, scale=0.1, dtype=None, device=None):
    if device is None:
        device = "cpu"
    params = {}
    with torch.enable_grad():
        for name, shape in shapes.items():
            if name.endswith("bias"):
                t = torch.zeros(shape, dtype=dtype, device="cpu", requires_grad=True)
            else:
                t = (torch.randn(shape, generator=generator, dtype=dtype, device="cpu") * scale).requires_grad_()
            params[name] = t.to(device)
    return params
