"""torch.randn isn't given the generator, so the numbers come from the global one."""
import torch


def make_params(shapes, generator, scale=0.1, dtype=None, device=None):
    params = {}
    for name, shape in shapes.items():
        if name.endswith("bias"):
            value = torch.zeros(shape, dtype=dtype, device=device)
        else:
            value = (scale * torch.randn(shape, dtype=dtype)).to(device or "cpu")
        params[name] = value.requires_grad_()
    return params
