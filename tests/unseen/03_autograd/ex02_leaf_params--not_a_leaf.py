"""The multiplication by scale comes after requires_grad=True, so the result is not a leaf."""
import torch


def make_params(shapes, generator, scale=0.1, dtype=None, device=None):
    params = {}
    for name, shape in shapes.items():
        if name.endswith("bias"):
            params[name] = torch.zeros(shape, dtype=dtype, device=device, requires_grad=True)
        else:
            params[name] = torch.randn(shape, generator=generator, dtype=dtype, requires_grad=True).to(device) * scale
    return params
