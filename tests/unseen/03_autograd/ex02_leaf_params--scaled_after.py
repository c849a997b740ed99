"""The scaled tensor is no leaf: requires_grad comes before the multiplication."""
import torch

def make_params(shapes, generator, scale=0.1, dtype=None, device=None):
    params = {}
    for name, shape in shapes.items():
        if name.endswith("bias"):
            params[name] = torch.zeros(shape, dtype=dtype, device=device, requires_grad=True)
        else:
            noise = torch.randn(shape, generator=generator, dtype=dtype, requires_grad=True)
            params[name] = (noise * scale).to(device)
    return params
